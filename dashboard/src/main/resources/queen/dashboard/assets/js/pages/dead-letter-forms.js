// The forms of redrive and purge. Both show the affected messages first.
import { html } from 'lit';
import { call } from '../core/api.js';
import { groupName, number, plural } from '../core/format.js';
import { ask } from '../ui/ui-ask.js';
import { toast } from '../ui/ui-toasts.js';

/** @param transactionIds undefined for all matching dead letters */
export function redrive(filter, transactionIds) {
  const fields = [
    { name: 'ratePerSecond', label: 'Messages per second', type: 'number', min: 1, max: 1_000_000, placeholder: 'no limit' },
    { name: 'limit', label: 'Maximum number', type: 'number', min: 1, placeholder: 'all' },
    { name: 'targetQueue', label: 'Target queue', placeholder: 'their own', help: 'Use another queue to redeliver to one group only.' },
    { name: 'targetPartition', label: 'Target partition', placeholder: 'their own' },
  ];
  const body = (values, dryRun) => ({ body: { ...filter, transactionIds, ...values, dryRun } });
  return ask({
    title: 'Redrive dead letters',
    verb: 'Redrive',
    isWide: true,
    fields,
    text: html`${about(filter, transactionIds)} They are pushed again to the end of their partitions, oldest failure first, and every group of
    the queue gets them.`,
    preview: async (values) => {
      const answer = await call('redrive', {}, body(values, true));
      return html`<strong>Dry run: ${plural(answer.total, 'message')} would be redriven.</strong>
        <ul>
          ${answer.errors.map((each) => html`<li>${number(each.count)} × ${each.error ?? 'no error text'}</li>`)}
        </ul>`;
    },
    act: async (values) => {
      const answer = await call('redrive', {}, body(values, false));
      toast(`${plural(answer.total, 'message')} will be redriven.`);
    },
  });
}

export function purge(filter, transactionIds, total) {
  return ask({
    title: 'Purge dead letters?',
    verb: 'Delete',
    danger: true,
    loss: html`<strong>This cannot be undone.</strong> ${about(filter, transactionIds)}
      ${transactionIds ? '' : html`Currently ${plural(total, 'dead letter')}.`} Their payloads and errors will be deleted.`,
    act: async () => {
      const answer = await call('purgeDeadLetters', filter, transactionIds && { body: { transactionIds } });
      toast(`${plural(answer.purged, 'dead letter')} deleted.`);
    },
  });
}

function about({ queue, consumerGroup, error, partition }, transactionIds) {
  const which = transactionIds ? `The ${plural(transactionIds.length, 'chosen dead letter')}` : 'All dead letters';
  const parts = [
    queue && `of ${queue}`,
    partition && `in partition ${partition}`,
    consumerGroup && `of the group ${groupName(consumerGroup)}`,
    error && `with the error “${error}”`,
  ];
  return html`${which} ${parts.filter(Boolean).join(' ')}.`;
}
