// The messages of a partition, oldest first, with the positions of groups between them.
import { html, nothing } from 'lit';
import { repeat } from 'lit-html/directives/repeat.js';
import { call } from '../core/api.js';
import { groupName, number, plural } from '../core/format.js';
import { badge } from '../ui/badge.js';
import { action } from '../ui/buttons.js';
import { empty } from '../ui/states.js';
import { ask } from '../ui/ui-ask.js';
import { time } from '../ui/ui-time.js';
import { toast } from '../ui/ui-toasts.js';
import { messageName } from './message-table.js';

export function log({ partition, group, window, messages }, reload) {
  if (messages.length === 0) return empty('The partition is empty.', 'New messages appear here.');
  return html`<ol class="log">
    ${repeat(
      messages,
      (message) => message.offset,
      (message) =>
        html` ${flags(partition, (each) => each.offset === message.offset)}
          <li class=${row(group, message)}>
            <span class="offset">${number(message.offset)}</span>
            ${messageName(message)}
            <span class="do"
              >${
                group
                  ? action('seekPartition', 'Replay from here', () => replay(partition, group, message, reload), {
                      icon: 'replay',
                      small: true,
                      title: `Move ${groupName(group.consumerGroup)} to this message`,
                    })
                  : nothing
              }</span
            >
            ${badge(stateFor(group, message), attempts(group, message))}
            <span class="when">${time(message.createdAt)}</span>
          </li>`,
    )}
    ${
      window.end === partition.head
        ? html`${flags(partition, (each) => each.offset >= partition.head)}
            <li class="end">head: offset of the next message</li>`
        : nothing
    }
  </ol>`;
}

function flags(partition, isHere) {
  return partition.groups.filter(isHere).map((each) => html`<li class="flag"><i></i><span>${groupName(each.consumerGroup)}</span></li>`);
}

function stateFor(group, message) {
  if (message.status === 'dead_letter') return 'dead_letter';
  if (!group) return 'pending';
  if (message.offset < group.offset) return 'completed';
  if (message.offset < group.offset + group.processing) return 'leased';
  return message.offset === group.offset && group.state === 'retrying' ? 'retrying' : 'pending';
}

function attempts(group, message) {
  return group && message.offset === group.offset && group.attempts > 0 ? `failed ${group.attempts}×` : undefined;
}

function row(group, message) {
  return group && message.offset < group.offset ? 'past' : '';
}

async function replay(partition, group, message, reload) {
  const distance = message.offset - group.offset;
  const done = await ask({
    title: `Move ${groupName(group.consumerGroup)} to ${number(message.offset)}?`,
    verb: distance < 0 ? 'Replay' : 'Move',
    danger: distance > 0,
    loss:
      distance > 0
        ? html`<strong>${plural(distance, 'message')}</strong> before it will be skipped for the group.`
        : html`${plural(-distance, 'message')} will be delivered <strong>again</strong>, beginning with
            <span class="mono">${message.transactionId ?? `offset ${message.offset}`}</span>.`,
    text: 'The lease of the partition ends, and failed attempts are reset.',
    act: () =>
      call('seekPartition', { group: group.consumerGroup, queue: partition.queue, partition: partition.name }, { body: { offset: message.offset } }),
  });
  if (!done) return;
  toast(`${groupName(group.consumerGroup)} continues at ${number(message.offset)}.`);
  reload();
}
