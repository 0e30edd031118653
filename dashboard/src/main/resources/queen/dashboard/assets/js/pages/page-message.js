// One message: its payload, what each group made of it, and its traces.
import { html, nothing } from 'lit';
import { call, callOr } from '../core/api.js';
import { groupName, number } from '../core/format.js';
import { Page } from '../core/page.js';
import { go, url } from '../core/place.js';
import { badge } from '../ui/badge.js';
import { action } from '../ui/buttons.js';
import { icon } from '../ui/icons.js';
import { lastError } from '../ui/states.js';
import { card, facts, table } from '../ui/table.js';
import { ask } from '../ui/ui-ask.js';
import { copy, json } from '../ui/ui-json.js';
import { time, withTimes } from '../ui/ui-time.js';
import { toast } from '../ui/ui-toasts.js';
import { timeline } from './trace-timeline.js';

class PageMessage extends Page {
  async load(signal) {
    const place = this.params;
    const message = await call('showMessage', place, { signal });
    const [traces, explanations] = await Promise.all([
      callOr({ traces: [] }, 'messageTraces', place, { signal }),
      Promise.all(
        message.consumerGroups.map((group) => callOr(null, 'explainMessage', { ...place, consumerGroup: group.name }, { signal })),
      ),
    ]);
    return {
      message,
      traces: traces.traces,
      groups: message.consumerGroups.map((group, i) => ({ ...group, explanation: explanations[i] })),
    };
  }

  view() {
    const { message, traces, groups } = this.data;
    return html` <div class="toolbar">
        <div class="summary">
          ${badge(message.status)}<a class="name" href=${url('/queues/:queue', { queue: message.queue })}>${message.queue}</a
          ><span class="slash">/</span>
          <a class="name" href=${url('/partitions/:partitionId', { partitionId: message.partitionId, at: Math.max(0, message.offset - 8) })}
            >${message.partition}</a
          >
          <span class="muted">pushed ${time(message.createdAt)}</span>
        </div>
        <div class="actions">
          ${message.status === 'dead_letter' ? action('retryMessage', 'Redrive', () => this.#retry(), { icon: 'replay', primary: true }) : nothing}
          ${action('deleteMessage', 'Delete', () => this.#delete(), { icon: 'trash', danger: true })}
        </div>
      </div>
      <div class="columns two-one">
        <div class="stack">
          ${card('Payload', json(message.payload), message.isEncrypted ? html`<span class="chip">${icon('lock')} encrypted at rest</span>` : nothing)}
          ${card(
            'Groups',
            table(this.#columns(), groups, {
              key: (group) => group.name,
              label: 'Groups',
              empty: ['No group has read this partition.', 'The message waits for the first pop.'],
            }),
          )}
        </div>
        <div class="stack">
          ${card(
            'Message',
            facts([
              ['transactionId', this.#copyable(message.transactionId)],
              ['id', this.#copyable(message.id)],
              ['Offset', number(message.offset)],
              message.traceId && ['traceId', this.#copyable(message.traceId)],
              message.producerSub && ['Producer', message.producerSub],
              ['Attempts', number(message.retryCount)],
            ]),
          )}
          ${message.headers
            ? card('Headers', facts(Object.entries(message.headers).map(([name, value]) => [name, this.#copyable(value)])))
            : nothing}
          ${message.errorMessage ? lastError(message.errorMessage) : nothing}
          ${card('Traces', timeline(traces, ['Nothing was noted down about it.', 'Consumers do that with POST /api/v1/traces.']))}
        </div>
      </div>`;
  }

  #columns() {
    return [
      {
        title: 'Group',
        cell: (group) =>
          html`<a class="name" href=${url('/partitions/:partitionId', { partitionId: this.params.partitionId, group: group.name })}
            >${groupName(group.name)}</a
          >`,
      },
      { title: 'State', cell: (group) => badge(group.explanation?.state ?? group.status) },
      { title: 'Why', kind: 'wide wrap', cell: (group) => withTimes(group.explanation?.reason ?? '') },
      {
        title: '',
        kind: 'actions',
        cell: (group) =>
          group.consumed ? nothing : action('buryMessage', 'Dead-letter', () => this.#bury(group.name), { icon: 'dead', small: true }),
      },
    ];
  }

  #copyable(text) {
    return html`<span class="mono small">${text}</span
      ><button class="plain tiny" type="button" aria-label="Copy" title="Copy" @click=${() => copy(text)}>${icon('copy')}</button>`;
  }

  async #retry() {
    const done = await ask({
      title: 'Redrive this message?',
      verb: 'Redrive',
      text: 'It is pushed again to the end of its partition, and every group of the queue gets it. The dead letter is removed.',
      act: () => call('retryMessage', this.params),
    });
    if (done) this.#after('It is on its way to the end of its partition.');
  }

  async #delete() {
    const { message, groups } = this.data;
    const waiting = groups.filter((group) => !group.consumed).map((group) => groupName(group.name));
    const done = await ask({
      title: 'Delete this message?',
      verb: 'Delete the message',
      danger: true,
      loss: html`<strong>This cannot be undone.</strong> The payload of <span class="mono">${message.transactionId}</span> and its traces
        will be gone. ${waiting.length ? html`${waiting.join(', ')} will never get it.` : 'Every group has finished it.'} Dead letters of it
        stay.`,
      act: () => call('deleteMessage', this.params),
    });
    if (!done) return;
    toast('The message is gone.');
    go(url('/partitions/:partitionId', { partitionId: message.partitionId }));
  }

  async #bury(group) {
    const done = await ask({
      title: `Dead-letter for ${groupName(group)}?`,
      verb: 'Dead-letter it',
      loss: html`${groupName(group)} gives up on it, and the partition goes on without it. It can be redriven later.`,
      fields: [{ name: 'error', label: 'Why', placeholder: 'shown beside the dead letter' }],
      act: ({ error }) => call('buryMessage', { ...this.params, consumerGroup: group, error }),
    });
    if (done) this.#after('It is a dead letter now.');
  }

  #after(text) {
    toast(text);
    this.reload();
  }
}

customElements.define('page-message', PageMessage);
