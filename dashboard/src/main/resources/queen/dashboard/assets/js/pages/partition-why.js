// The reason why the next message of a partition waits, and actions for it.
import { html, nothing } from 'lit';
import { call } from '../core/api.js';
import { groupName, number, plural } from '../core/format.js';
import { badge } from '../ui/badge.js';
import { action } from '../ui/buttons.js';
import { lastError } from '../ui/states.js';
import { card, facts } from '../ui/table.js';
import { ask } from '../ui/ui-ask.js';
import { time, withTimes } from '../ui/ui-time.js';
import { toast } from '../ui/ui-toasts.js';
import { SEEK_FIELDS, seekBody } from './group-table.js';

const TITLES = {
  ready: 'Ready for delivery',
  leased: 'Leased by a consumer',
  retrying: 'Failed, waiting for the next attempt',
  delayed: 'Delayed',
  window: 'Window is open',
  paused: 'Paused',
  maintenance: 'Pops are switched off for maintenance',
  expired: 'Expired',
  exhausted: 'No attempts left',
  empty: 'No unread messages',
  unsubscribed: 'No subscription',
};

export function why({ partition, group, explanation, messages }, reload) {
  if (!explanation) return nothing;
  const name = groupName(explanation.consumerGroup);
  return card(
    html`Why ${name} ${explanation.state === 'empty' ? 'has no work' : 'waits'}`,
    html` <div class="why">
      <p class="headline">${badge(explanation.state)}<strong>${TITLES[explanation.state] ?? explanation.state}</strong></p>
      <p>${withTimes(explanation.reason)}</p>
      ${facts([
        ['Next offset', number(explanation.position)],
        ['Unread', plural(explanation.pending, 'message')],
        explanation.expired > 0 && ['Expired', plural(explanation.expired, 'message')],
        explanation.processing > 0 && ['Leased', plural(explanation.processing, 'message')],
        explanation.until && ['Until', time(explanation.until)],
        explanation.since && ['Waiting since', time(explanation.since)],
        explanation.leaseId && ['Lease', html`<span class="mono small">${explanation.leaseId}</span>`],
        explanation.attempts > 0 && ['Attempts', number(explanation.attempts)],
        group?.ackedAhead && ['Finished ahead', html`<span class="mono small">${group.ackedAhead}</span>`],
        group && ['Last ack', time(group.lastConsumedAt)],
        group && ['Consumed', number(group.totalConsumed)],
        group && ['Dead, skipped', `${number(group.totalDeadLettered)}, ${number(group.totalSkipped)}`],
      ])}
      ${explanation.error ? lastError(explanation.error) : nothing}
      ${group ? buttons(partition, group, messages, reload) : nothing}
    </div>`,
    nothing,
    'sticky',
  );
}

function buttons(partition, group, messages, reload) {
  const isEmpty = group.offsetLag === 0;
  const head = messages.find((message) => message.offset === group.offset);
  const place = { group: group.consumerGroup, queue: partition.queue, partition: partition.name };
  return html`<div class="actions column">
    ${action('skipHead', 'Skip the head', () => skip(place, group, head, false, reload), { icon: 'skip', disabled: isEmpty })}
    ${action('skipHead', 'Dead-letter the head', () => skip(place, group, head, true, reload), { icon: 'dead', disabled: isEmpty })}
    ${action('seekPartition', 'Seek…', () => seek(place, group, partition, reload), { icon: 'seek' })}
  </div>`;
}

async function skip(place, group, head, toDlq, reload) {
  const name = head && !head.isOmitted ? html`<span class="mono">${head.transactionId}</span>` : `the message at ${number(group.offset)}`;
  const done = await ask({
    title: toDlq ? 'Move the head to the dead letters?' : 'Skip the head?',
    verb: toDlq ? 'Dead-letter' : 'Skip',
    danger: !toDlq,
    loss: toDlq
      ? html`${groupName(place.group)} skips ${name} and continues with the next message. ${name} can be redriven later.`
      : html`${groupName(place.group)} will <strong>never receive</strong> ${name}. Other groups are not affected.`,
    text: group.processing > 0 ? 'A consumer has a lease: the lease ends, and its acks will be rejected.' : undefined,
    act: () => call('skipHead', place, { body: { toDlq } }),
  });
  if (!done) return;
  toast(`${number(done.result.skippedOffset)} was ${toDlq ? 'dead-lettered' : 'skipped'}.`);
  reload();
}

async function seek(place, group, partition, reload) {
  const fields = [
    { ...SEEK_FIELDS[0], choices: [['offset', 'An offset'], ...SEEK_FIELDS[0].choices], value: 'offset' },
    {
      name: 'offset',
      label: 'Offset',
      type: 'number',
      min: partition.tail,
      max: partition.head,
      value: group.offset,
      required: true,
      when: (values) => values.to === 'offset',
      help: `From ${number(partition.tail)} (oldest stored message) to ${number(partition.head)} (only new messages).`,
    },
    SEEK_FIELDS[1],
  ];
  const done = await ask({
    title: `Move ${groupName(place.group)} in this partition`,
    verb: 'Move',
    fields,
    loss: html`Current position: ${number(group.offset)}. Moving forward <strong>skips</strong> messages; moving backward
      <strong>delivers messages again</strong>. The lease of the partition ends, and failed attempts are reset.`,
    act: (values) => call('seekPartition', place, { body: seekBody(values) }),
  });
  if (!done) return;
  toast(`${groupName(place.group)} was moved.`);
  reload();
}
