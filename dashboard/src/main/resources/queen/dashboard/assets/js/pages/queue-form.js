// The options of a queue as fields, and the questions about whole queues.
import { html } from 'lit';
import { call } from '../core/api.js';
import { millis, number, plural, seconds } from '../core/format.js';
import { go, url } from '../core/place.js';
import { ask } from '../ui/ui-ask.js';
import { toast } from '../ui/ui-toasts.js';

const INT_MAX = 2_147_483_647;

/** The least value where that is not 0. */
const LEAST = { priority: -INT_MAX, retryBackoff: 1 };

/** What the number of an option means, in words. */
const timeOr = (none) => (value) => (Number(value) === 0 ? none : seconds(value));
const MEANINGS = {
  leaseTime: timeOr('1 min'),
  retryDelay: (value) => millis(Number(value)),
  delayedProcessing: timeOr('none'),
  windowBuffer: timeOr('none'),
  maxSize: (value) => (Number(value) === 0 ? 'no limit' : plural(value, 'message')),
  maxWaitTimeSeconds: timeOr('no limit'),
  // Older clients send 3600 without being asked, so it limits nothing.
  ttl: (value) => ([0, 3600].includes(Number(value)) ? 'no limit' : seconds(value)),
  dedupWindowSeconds: timeOr('none'),
  retentionSeconds: timeOr('for ever'),
  completedRetentionSeconds: timeOr('for ever'),
};

/** Name, label with the unit, help, and the greatest value; those of type boolean have none. */
const OPTIONS = [
  ['leaseTime', 'Lease time (s)', 'How long a consumer may hold a partition.', 604_800],
  ['retryLimit', 'Retry limit', 'How often a failed message is delivered again before it is a dead letter.', INT_MAX],
  ['retryDelay', 'Retry delay (ms)', 'How long a failed message rests before it is delivered again.', 86_400_000],
  ['retryBackoff', 'Retry backoff', 'What the delay is multiplied by after each further failure, 1 to 10.', 10],
  ['delayedProcessing', 'Delay (s)', 'How long before a message may be delivered.', INT_MAX],
  ['windowBuffer', 'Window (s)', 'How long without a push before a partition is delivered.', INT_MAX],
  ['priority', 'Priority', 'Which queue of a namespace comes first; higher is earlier.', INT_MAX],
  ['maxSize', 'Most messages', 'Unfinished ones; pushes are refused beyond it. 0 for any number.', Number.MAX_SAFE_INTEGER],
  ['maxWaitTimeSeconds', 'Longest wait (s)', 'After which an unread message expires; 0 for never.', INT_MAX],
  ['ttl', 'Time to live (s)', 'The same for older clients; 0 and 3600 for never.', INT_MAX],
  ['dedupWindowSeconds', 'Duplicate window (s)', 'How long a transactionId is remembered; empty: as the server does.', 31_536_000],
  ['retentionEnabled', 'Retention', 'Whether the next two are obeyed.'],
  ['retentionSeconds', 'Keep for (s)', 'How long any message is kept; 0 for ever.', INT_MAX],
  ['completedRetentionSeconds', 'Keep finished for (s)', 'How long a message is kept that every group has finished; 0 for ever.', INT_MAX],
  ['encryptionEnabled', 'Encryption', 'Whether payloads are stored encrypted.'],
  ['deadLetterQueue', 'Dead letters for expired', 'Whether expired messages go to the dead letters.'],
];

export function optionFields(options) {
  return OPTIONS.map(([name, label, help, max]) =>
    max === undefined
      ? { name, label, help, type: 'checkbox', value: options[name] ?? false }
      : {
          name,
          label,
          help,
          type: 'number',
          min: LEAST[name] ?? 0,
          step: name === 'retryBackoff' ? 'any' : 1,
          max,
          value: options[name] ?? '',
          placeholder: 'default',
          means: MEANINGS[name],
        },
  );
}

export function createQueue() {
  const fields = [
    { name: 'queue', label: 'Name', required: true, help: 'As in shop.orders.' },
    { name: 'namespace', label: 'Namespace', help: 'What consumers may ask for instead of the queue; the task, too.' },
    { name: 'task', label: 'Task' },
    ...optionFields({}).filter((field) => ['leaseTime', 'retryLimit', 'retryDelay', 'encryptionEnabled'].includes(field.name)),
  ];
  return ask({
    title: 'Create a queue',
    verb: 'Create',
    fields,
    text: 'A queue is also created by its first push. Everything but the name can be changed later.',
    act: async ({ queue, namespace, task, ...options }) => {
      await call('configure', {}, { body: { queue, namespace, task, options } });
      toast(`${queue} is there.`);
      go(url('/queues/:queue', { queue }));
    },
  });
}

export function deleteQueue(queue, totals) {
  return ask({
    title: `Delete ${queue}?`,
    verb: 'Delete the queue',
    danger: true,
    loss: html`<strong>This cannot be undone.</strong> ${number(totals.total)} messages, of which
      ${number(totals.pending + totals.processing)} are not finished, ${number(totals.deadLetter)} dead letters, all partitions and every group's
      position in them will be gone.`,
    fields: [{ name: 'name', label: `Type ${queue} to go on`, required: true }],
    act: async ({ name }) => {
      if (name !== queue) throw new Error('That is another name.');
      const answer = await call('deleteQueue', { queue });
      toast(`${queue} is deleted${answer.inProgress ? '; its partitions are removed in the background' : ''}.`);
      go('/queues');
    },
  });
}

/** @param partition its name, when only one is meant */
export function clearQueue(queue, totals, partition) {
  const what = partition === undefined ? queue : `partition ${partition} of ${queue}`;
  return ask({
    title: `Clear ${what}?`,
    verb: 'Delete the messages',
    danger: true,
    loss: html`<strong>This cannot be undone.</strong> ${number(totals.total)} messages, of which
      ${number(totals.pending + totals.processing)} are not finished, will be gone for every group. Leases end. Dead letters stay.`,
    act: async () => {
      const answer = await call('clearQueue', { queue, partition: partition });
      toast(`${number(answer.cleared)} messages are gone${answer.inProgress ? ' so far; the others follow in the background' : ''}.`);
    },
  });
}

export function pushForm(queue, partition = 'Default') {
  return ask({
    title: `Push to ${queue}`,
    verb: 'Push',
    fields: [
      { name: 'partition', label: 'Partition', value: partition, required: true },
      { name: 'transactionId', label: 'transactionId', help: 'What duplicates are known by; made up when empty.' },
      { name: 'payload', label: 'Payload (JSON)', type: 'textarea', value: '{\n  "hello": "world"\n}', required: true },
    ],
    act: async ({ payload, ...item }) => {
      const [answer] = await call('push', {}, { body: { items: [{ queue, ...item, payload: JSON.parse(payload) }] } });
      if (answer.status === 'failed') throw new Error(answer.error);
      toast(answer.status === 'duplicate' ? 'There is a message with that transactionId already; nothing was stored.' : 'Stored.');
      return answer;
    },
  });
}
