// Groups on queues, and what can be done with them.
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
  'Stable or lagging: somebody consumes. Idle or dead: nobody does. Lagging and dead: a message has been due for over 5 minutes';

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
      hint: 'Pops that wait and leases that are held; one that popped a moment ago counts, too',
      cell: (group) => number(group.consumers),
    },
    { title: 'Unread', kind: 'num', cell: (group) => number(group.totalLag) },
    {
      title: 'Oldest',
      kind: 'num',
      hint: 'How long the oldest unread message has been due',
      cell: (group) => (group.totalLag > 0 ? seconds(group.oldestUnreadSeconds) : '–'),
    },
    {
      title: 'Partitions behind',
      kind: 'num',
      cell: (group) =>
        html`${number(group.partitionsWithLag)} of ${number(group.members)} ${share(group.partitionsWithLag, group.members, 'warn')}`,
    },
    { title: 'Began', kind: 'num', hint: 'When it first asked for the queue', cell: (group) => time(group.subscriptionCreatedAt) },
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
    label: 'Where to',
    type: 'select',
    value: 'timestamp',
    choices: [
      ['timestamp', 'A moment'],
      ['end', 'The end: only what comes from now on'],
      ['beginning', 'The beginning: everything that is kept, again'],
    ],
  },
  {
    name: 'timestamp',
    label: 'The first message after',
    type: 'datetime-local',
    required: true,
    when: (values) => values.to === 'timestamp',
  },
];

/** What the API wants to hear. */
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
    loss: html`All ${plural(group.members, 'partition')} move together. Whoever holds a partition loses it, attempts are forgotten. Forward, messages
      are <strong>skipped</strong>, up to ${number(group.totalLag)}; backward, they are <strong>delivered again</strong>.`,
    act: async (values) => {
      const answer = await call('seekQueue', { group: group.name, queue: group.queueName }, { body: seekBody(values) });
      toast(`${plural(answer.partitionsUpdated, 'partition')} moved${answer.inProgress ? ' so far; the others follow in the background' : ''}.`);
    },
  });
}

function deleteGroup(group) {
  return ask({
    title: `Delete ${groupName(group.name)} on ${group.queueName}?`,
    verb: 'Delete the group',
    danger: true,
    loss: html`Its position in ${plural(group.members, 'partition')} is lost, ${plural(group.totalLag, 'unread message')} included, and its
    leases end. Dead letters stay. If it comes back, it begins as a new group.`,
    act: async () => {
      await call('deleteGroupOnQueue', { group: group.name, queue: group.queueName, deleteMetadata: true });
      toast(`${groupName(group.name)} is gone from ${group.queueName}.`);
    },
  });
}
