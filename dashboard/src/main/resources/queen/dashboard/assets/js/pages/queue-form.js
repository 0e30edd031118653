// The form of the options of a queue, and the dialogs about queues.
import { html } from 'lit';
import { call } from '../core/api.js';
import { millis, number, plural, seconds } from '../core/format.js';
import { go, url } from '../core/place.js';
import { session } from '../core/session.js';
import { ask } from '../ui/ui-ask.js';
import { toast } from '../ui/ui-toasts.js';

/** Returns the value of an option in words or with its unit; undefined for plain numbers. */
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

/** Returns the form fields of options with these values, without deprecated options. */
export function optionFields(options) {
  return Object.entries(session.queueOptions)
    .filter(([, schema]) => !schema.deprecated)
    .map(([name, schema]) => optionField(name, schema, options[name]));
}

export function createQueue() {
  const fields = [
    { name: 'queue', label: 'Name', required: true, help: 'Such as shop.orders.' },
    { name: 'namespace', label: 'Namespace', help: 'Consumers can pop from all queues of a namespace or task.' },
    { name: 'task', label: 'Task' },
    ...optionFields({}).filter((field) => ['leaseTime', 'retryLimit', 'retryDelay', 'encryptionEnabled'].includes(field.name)),
  ];
  return ask({
    title: 'Create a queue',
    verb: 'Create',
    fields,
    text: 'The first push to a queue creates it, too. Everything except the name can be changed later.',
    act: async ({ queue, namespace, task, ...options }) => {
      await call('configure', {}, { body: { queue, namespace, task, options } });
      toast(`${queue} was created.`);
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
      position in them will be deleted.`,
    fields: [{ name: 'name', label: `Type ${queue} to confirm`, required: true }],
    act: async ({ name }) => {
      if (name !== queue) throw new Error('The name does not match.');
      const answer = await call('deleteQueue', { queue });
      toast(`${queue} was deleted${answer.inProgress ? '; its partitions are removed in the background' : ''}.`);
      go('/queues');
    },
  });
}

/** @param partition name of the only partition to clear, or undefined for all */
export function clearQueue(queue, totals, partition) {
  const what = partition === undefined ? queue : `partition ${partition} of ${queue}`;
  return ask({
    title: `Clear ${what}?`,
    verb: 'Delete the messages',
    danger: true,
    loss: html`<strong>This cannot be undone.</strong> ${number(totals.total)} messages, of which
      ${number(totals.pending + totals.processing)} are not finished, will be deleted for all groups. Leases end. Dead letters are kept.`,
    act: async () => {
      const answer = await call('clearQueue', { queue, partition: partition });
      toast(`${number(answer.cleared)} messages were deleted${answer.inProgress ? '; the others are deleted in the background' : ''}.`);
    },
  });
}

export function pushForm(queue, partition = 'Default') {
  return ask({
    title: `Push to ${queue}`,
    verb: 'Push',
    fields: [
      { name: 'partition', label: 'Partition', value: partition, required: true },
      { name: 'transactionId', label: 'transactionId', help: 'Identifies duplicates. Generated if empty.' },
      { name: 'payload', label: 'Payload (JSON)', type: 'textarea', value: '{\n  "hello": "world"\n}', required: true },
    ],
    act: async ({ payload, ...item }) => {
      const [answer] = await call('push', {}, { body: { items: [{ queue, ...item, payload: JSON.parse(payload) }] } });
      if (answer.status === 'failed') throw new Error(answer.error);
      toast(answer.status === 'duplicate' ? 'Duplicate transactionId: nothing was stored.' : 'Stored.');
      return answer;
    },
  });
}
