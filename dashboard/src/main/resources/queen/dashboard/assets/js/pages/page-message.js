// A message: its payload, its state in each group, and its traces.
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
              empty: ['No group has read this partition.', 'The first pop creates a group.'],
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
          ${card('Traces', timeline(traces, ['No traces.', 'Consumers record traces with POST /api/v1/traces.']))}
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
          group.consumed ? nothing : action('buryMessage', 'Dead-letter', () => this.#deadLetter(group.name), { icon: 'dead', small: true }),
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
      text: 'The message is pushed again to the end of its partition, for all groups of the queue. The dead letter is deleted.',
      act: () => call('retryMessage', this.params),
    });
    if (done) this.#after('The message will be redriven.');
  }

  async #delete() {
    const { message, groups } = this.data;
    const waiting = groups.filter((group) => !group.consumed).map((group) => groupName(group.name));
    const done = await ask({
      title: 'Delete this message?',
      verb: 'Delete the message',
      danger: true,
      loss: html`<strong>This cannot be undone.</strong> The payload of <span class="mono">${message.transactionId}</span> and its traces
        will be deleted. ${waiting.length ? html`${waiting.join(', ')} will never receive it.` : 'All groups have finished it.'} Its dead letters
        stay.`,
      act: () => call('deleteMessage', this.params),
    });
    if (!done) return;
    toast('Message deleted.');
    go(url('/partitions/:partitionId', { partitionId: message.partitionId }));
  }

  async #deadLetter(group) {
    const done = await ask({
      title: `Dead-letter for ${groupName(group)}?`,
      verb: 'Dead-letter',
      loss: html`${groupName(group)} skips the message and continues with the next one. The message can be redriven later.`,
      fields: [{ name: 'error', label: 'Reason', placeholder: 'shown with the dead letter' }],
      act: ({ error }) => call('buryMessage', { ...this.params, consumerGroup: group, error }),
    });
    if (done) this.#after('Message dead-lettered.');
  }

  #after(text) {
    toast(text);
    this.reload();
  }
}

customElements.define('page-message', PageMessage);
