// Groups of queues with their actions.
import { html } from 'lit';
import { call } from '../core/api.js';
import { groupName, number, plural, seconds } from '../core/format.js';
import { url } from '../core/place.js';
import { badge } from '../ui/badge.js';
import { action } from '../ui/buttons.js';
import { share, table } from '../ui/table.js';
import { ask } from '../ui/ui-ask.js';
import { toast } from '../ui/ui-toasts.js';
import { time } from '../ui/ui-time.js';

const STATES =
  'Stable and lagging groups have consumers, idle and dead groups have none. Lagging and dead: a message has been due for over 5 minutes';

/** @param options {empty, isOfOneGroup, isOfOneQueue} */
export function groupTable(groups, reload, { empty, isOfOneGroup = false, isOfOneQueue = false }) {
  const columns = [
    isOfOneGroup
      ? null
      : {
          title: 'Group',
          kind: 'wide',
          cell: (group) => html`<a class="name" href=${url('/groups/:group', { group: group.name })}>${groupName(group.name)}</a>`,
        },
    isOfOneQueue
      ? null
      : {
          title: 'Queue',
          kind: isOfOneGroup ? 'wide' : '',
          cell: (group) => html`<a href=${url('/queues/:queue', { queue: group.queueName })}>${group.queueName}</a>`,
        },
    { title: 'State', hint: STATES, cell: (group) => badge(group.state) },
    {
      title: 'Consumers',
      kind: 'num',
      hint: 'Waiting pops, leases, and pops of the last seconds',
      cell: (group) => number(group.consumers),
    },
    { title: 'Unread', kind: 'num', cell: (group) => number(group.totalLag) },
    {
      title: 'Oldest',
      kind: 'num',
      hint: 'Time since the oldest unread message became due',
      cell: (group) => (group.totalLag > 0 ? seconds(group.oldestUnreadSeconds) : '–'),
    },
    {
      title: 'Partitions behind',
      kind: 'num',
      cell: (group) =>
        html`${number(group.partitionsWithLag)} of ${number(group.members)} ${share(group.partitionsWithLag, group.members, 'warn')}`,
    },
    { title: 'Subscribed', kind: 'num', hint: 'First pop of the group', cell: (group) => time(group.subscriptionCreatedAt) },
    {
      title: '',
      kind: 'actions',
      cell: (group) =>
        html` ${action('seekQueue', 'Seek', () => then(seekGroup(group), reload), { icon: 'seek', small: true })}
        ${
          group.paused
            ? action('resumeGroup', 'Resume', () => pause('resumeGroup', group, reload), { icon: 'play', small: true })
            : action('pauseGroup', 'Pause', () => pause('pauseGroup', group, reload), { icon: 'pause', small: true })
        }
        ${action('deleteGroupOnQueue', 'Delete', () => then(deleteGroup(group), reload), { icon: 'trash', small: true, danger: true })}`,
    },
  ].filter(Boolean);
  return table(columns, groups, { key: (group) => `${group.name}\n${group.queueName}`, empty, label: 'Groups' });
}

async function then(question, reload) {
  if (await question) reload();
}

async function pause(operation, group, reload) {
  await call(operation, { group: group.name, queue: group.queueName });
  toast(`${groupName(group.name)} is ${operation === 'pauseGroup' ? 'paused' : 'resumed'} on ${group.queueName}.`);
  reload();
}

export const SEEK_FIELDS = [
  {
    name: 'to',
    label: 'Position',
    type: 'select',
    value: 'timestamp',
    choices: [
      ['timestamp', 'A moment'],
      ['end', 'End: only new messages'],
      ['beginning', 'Beginning: all stored messages, again'],
    ],
  },
  {
    name: 'timestamp',
    label: 'First message after',
    type: 'datetime-local',
    required: true,
    when: (values) => values.to === 'timestamp',
  },
];

/** Returns the request body. */
export function seekBody({ to, timestamp, offset }) {
  if (to === 'end') return { toEnd: true };
  if (to === 'beginning') return { toBeginning: true };
  return to === 'offset' ? { offset } : { timestamp };
}

function seekGroup(group) {
  return ask({
    title: `Move ${groupName(group.name)} on ${group.queueName}`,
    verb: 'Move',
    fields: SEEK_FIELDS,
    loss: html`All ${plural(group.members, 'partition')} move together. Leases end, and attempts are reset. Moving forward
      <strong>skips</strong> up to ${number(group.totalLag)} messages; moving backward <strong>delivers messages again</strong>.`,
    act: async (values) => {
      const answer = await call('seekQueue', { group: group.name, queue: group.queueName }, { body: seekBody(values) });
      toast(`${plural(answer.partitionsUpdated, 'partition')} moved${answer.inProgress ? '; the others are moved in the background' : ''}.`);
    },
  });
}

function deleteGroup(group) {
  return ask({
    title: `Delete ${groupName(group.name)} on ${group.queueName}?`,
    verb: 'Delete the group',
    danger: true,
    loss: html`Its position in ${plural(group.members, 'partition')} will be deleted, with ${plural(group.totalLag, 'unread message')}, and its
    leases end. Dead letters are kept. A later pop creates the group again as a new one.`,
    act: async () => {
      await call('deleteGroupOnQueue', { group: group.name, queue: group.queueName, deleteMetadata: true });
      toast(`${groupName(group.name)} was deleted from ${group.queueName}.`);
    },
  });
}
