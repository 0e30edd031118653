// A group: its queues, and its partitions in each.
import { html } from 'lit';
import { call } from '../core/api.js';
import { groupName, number, plural, seconds } from '../core/format.js';
import { Page } from '../core/page.js';
import { go, url } from '../core/place.js';
import { badge } from '../ui/badge.js';
import { action } from '../ui/buttons.js';
import { empty } from '../ui/states.js';
import { card, table } from '../ui/table.js';
import { ask } from '../ui/ui-ask.js';
import { time } from '../ui/ui-time.js';
import { toast } from '../ui/ui-toasts.js';
import { groupTable } from './group-table.js';

const PARTITIONS_SHOWN = 200;

class PageGroup extends Page {
  async load(signal) {
    const { group } = this.params;
    const [groups, queues] = await Promise.all([
      call('listGroups', {}, { signal }),
      call('showGroup', { group, limit: PARTITIONS_SHOWN }, { signal }),
    ]);
    return { groups: groups.filter((each) => each.name === group), queues };
  }

  view() {
    const { groups, queues } = this.data;
    if (groups.length === 0) return empty('Group not found.', html`See all <a href="/groups">groups</a>.`);
    const unread = groups.reduce((sum, group) => sum + group.totalLag, 0);
    return html` <div class="toolbar">
        <div class="summary">
          <span><b>${number(groups.length)}</b> ${groups.length === 1 ? 'queue' : 'queues'}</span
          ><span><b>${number(unread)}</b> unread</span>
        </div>
        <div class="actions">
          ${action('deleteGroup', 'Delete everywhere', () => this.#delete(groups, unread), { icon: 'trash', danger: true })}
        </div>
      </div>
      ${card(
        'Queues',
        groupTable(groups, () => this.reload(), { isOfOneGroup: true }),
      )}
      ${Object.entries(queues).map(([queue, { partitions }]) =>
        card(
          html`Partitions of <a href=${url('/queues/:queue', { queue })}>${queue}</a>`,
          table(
            this.#columns(),
            partitions.toSorted((a, b) => b.offsetLag - a.offsetLag),
            { key: (partition) => partition.partitionId, label: `Partitions of ${queue}` },
          ),
          html`<span class="muted"
            >${partitions.length >= PARTITIONS_SHOWN ? `the first ${PARTITIONS_SHOWN} by name` : plural(partitions.length, 'partition')}, deepest
            first</span
          >`,
        ),
      )}`;
  }

  #columns() {
    const { group } = this.params;
    return [
      {
        title: 'Partition',
        kind: 'wide',
        cell: (partition) =>
          html`<a class="name" href=${url('/partitions/:partitionId', { partitionId: partition.partitionId, group })}>${partition.partition}</a>`,
      },
      { title: 'State', cell: (partition) => badge(partition.state) },
      { title: 'Unread', kind: 'num', cell: (partition) => number(partition.offsetLag) },
      { title: 'Oldest', kind: 'num', cell: (partition) => (partition.offsetLag > 0 ? seconds(partition.timeLagSeconds) : '–') },
      { title: 'Position', kind: 'num', cell: (partition) => number(partition.offset) },
      { title: 'Consumed', kind: 'num', cell: (partition) => number(partition.totalConsumed) },
      { title: 'Dead', kind: 'num', cell: (partition) => number(partition.totalDeadLettered) },
      { title: 'Skipped', kind: 'num', cell: (partition) => number(partition.totalSkipped) },
      { title: 'Last ack', kind: 'num', cell: (partition) => time(partition.lastConsumedAt) },
      { title: 'Lease ends', kind: 'num', cell: (partition) => time(partition.leaseActive ? partition.leaseExpiresAt : null) },
    ];
  }

  #delete(groups, unread) {
    const { group } = this.params;
    return ask({
      title: `Delete ${groupName(group)} everywhere?`,
      verb: 'Delete the group',
      danger: true,
      loss: html`Its position in ${plural(groups.length, 'queue')} will be deleted, with ${plural(unread, 'unread message')}, and its leases
      end. Dead letters are kept. A later pop creates the group again as a new one.`,
      act: async () => {
        const answer = await call('deleteGroup', { group, deleteMetadata: true });
        toast(`${groupName(group)} was deleted from ${plural(answer.deletedPartitions, 'partition')}.`);
        go('/groups');
      },
    });
  }
}

customElements.define('page-group', PageGroup);
