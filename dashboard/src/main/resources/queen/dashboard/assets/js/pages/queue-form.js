// The options of a queue as fields, and the questions about whole queues.
import { html } from 'lit';
import { call } from '../core/api.js';
import { millis, number, plural, seconds } from '../core/format.js';
import { go, url } from '../core/place.js';
import { session } from '../core/session.js';
import { ask } from '../ui/ui-ask.js';
import { toast } from '../ui/ui-toasts.js';

/** Returns a number of an option in words, with its unit; undefined if the number alone says it. */
function meaning(schema, value) {
  const named = schema['x-meanings']?.[Number(value)];
  if (named) return named;
  switch (schema['x-unit']) {
    case 's':
      return seconds(value);
    case 'ms':
      return millis(Number(value));
    case 'messages':
      return plural(value, 'message');
    default:
      return undefined;
  }
}

function optionField(name, schema, value) {
  const types = [schema.type].flat();
  const field = { name, label: schema.title, help: schema.description };
  if (types.includes('boolean')) return { ...field, type: 'checkbox', value: value ?? false };
  return {
    ...field,
    label: ['s', 'ms'].includes(schema['x-unit']) ? `${schema.title} (${schema['x-unit']})` : schema.title,
    type: 'number',
    min: schema.minimum,
    max: Math.min(Number(schema.maximum), Number.MAX_SAFE_INTEGER),
    step: types.includes('number') ? 'any' : 1,
    value: value ?? '',
    placeholder: 'default',
    isNullable: types.includes('null'),
    means: (number) => meaning(schema, number),
  };
}

/** The fields of a form for options that have these values. Deprecated options are left out. */
export function optionFields(options) {
  return Object.entries(session.queueOptions)
    .filter(([, schema]) => !schema.deprecated)
    .map(([name, schema]) => optionField(name, schema, options[name]));
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
