// Dead letters: by error, as a list, and their redrives.
import { html, nothing } from 'lit';
import { call, callOr } from '../core/api.js';
import { groupName, number, plural } from '../core/format.js';
import { Page } from '../core/page.js';
import { refine, url } from '../core/place.js';
import { session } from '../core/session.js';
import { action } from '../ui/buttons.js';
import { choice, named, searchBox } from '../ui/fields.js';
import { empty } from '../ui/states.js';
import { card, share, table } from '../ui/table.js';
import { time } from '../ui/ui-time.js';
import { headersOf, messageUrl } from './message-table.js';
import { purge, redrive } from './dead-letter-forms.js';
import { redriveList } from './redrive-list.js';

const SHOWN = 50;

class PageDeadLetters extends Page {
  static properties = { chosen: { state: true } };

  constructor() {
    super();
    this.chosen = new Map();
  }

  get filter() {
    const { queue, group, error, partition } = this.query;
    return { queue, consumerGroup: group, error, partition };
  }

  async load(signal) {
    const { error: _, ...anyError } = this.filter;
    const [errors, letters, redrives, groups] = await Promise.all([
      call('listErrors', { ...anyError, limit: 100 }, { signal }),
      call('listDeadLetters', { ...this.filter, limit: SHOWN, offset: this.query.offset }, { signal }),
      callOr({ redrives: [] }, 'listRedrives', { limit: 5 }, { signal }),
      callOr([], 'listGroups', {}, { signal }),
    ]);
    const isMoving = redrives.redrives.some((each) => each.status === 'running' || each.status === 'pending');
    this.interval = isMoving ? 1000 : 5000;
    return { errors: errors.errors, letters, redrives: redrives.redrives, groups };
  }

  willUpdate(changed) {
    super.willUpdate(changed);
    if (changed.has('query')) this.chosen = new Map();
  }

  view() {
    const { letters, redrives } = this.data;
    const first = Number(this.query.offset ?? 0);
    return html` <div class="toolbar">
        ${this.#filters()}
        <div class="actions">
          ${action(
            'redrive',
            this.chosen.size ? `Redrive ${this.chosen.size}` : 'Redrive all',
            () => this.#then(redrive(this.filter, this.#ids())),
            {
              icon: 'replay',
              primary: true,
              disabled: letters.total === 0 || !(this.query.queue || session.mayRemove),
              title: this.query.queue || session.mayRemove ? undefined : 'Select a queue: only administrators can redrive all queues',
            },
          )}
          ${action(
            'purgeDeadLetters',
            this.chosen.size ? `Purge ${this.chosen.size}` : 'Purge all',
            () => this.#then(purge(this.filter, this.#ids(), letters.total)),
            {
              icon: 'trash',
              danger: true,
              disabled: letters.total === 0 || !this.query.queue,
              title: this.query.queue ? undefined : 'Select a queue first',
            },
          )}
        </div>
      </div>
      ${redriveList(redrives, () => this.reload())}
      <div class="columns one-two">
        ${this.#errors()}
        <div class="stack">
          ${card(
            'Dead letters',
            table(this.#columns(), letters.messages, {
              key: (letter) => `${letter.id}${letter.consumerGroup}`,
              label: 'Dead letters',
              row: (letter) => (this.chosen.has(keyOf(letter)) ? 'chosen' : ''),
              empty: ['No dead letters.', 'A message is dead-lettered after its last failed attempt.'],
            }),
            html`<span class="muted">${plural(letters.total, 'dead letter')}${letters.total ? ', latest first' : ''}</span>`,
          )}
          <div class="toolbar end">
            <div class="actions">
              ${first > 0 ? html`<button @click=${() => refine({ offset: Math.max(0, first - SHOWN) || null })}>Later</button>` : nothing}
              ${first + SHOWN < letters.total ? html`<button @click=${() => refine({ offset: first + SHOWN })}>Earlier</button>` : nothing}
            </div>
          </div>
        </div>
      </div>`;
  }

  #filters() {
    const { errors, groups } = this.data;
    const queues = [...new Set([...errors.map((each) => each.queue), ...(this.query.queue ? [this.query.queue] : [])])].sort();
    const names = [...new Set([...groups.map((each) => each.name), ...errors.map((each) => each.consumerGroup)])].sort();
    const filter = (name) => (value) => refine({ [name]: value, offset: null });
    return html`<div class="filters">
      ${choice('Queue', [['', 'All queues'], ...named(queues)], this.query.queue, filter('queue'))}
      ${choice('Group', [['', 'All groups'], ...names.map((each) => [each, groupName(each)])], this.query.group, filter('group'))}
      ${searchBox('Partition', this.query.partition, filter('partition'), { isWhole: true })}
      ${searchBox('Error contains', this.query.error, filter('error'), { isWhole: true })}
    </div>`;
  }

  #errors() {
    const { errors } = this.data;
    const most = Math.max(1, ...errors.map((each) => each.count));
    return card(
      'By error',
      errors.length === 0
        ? empty('No errors.', 'Errors that consumers report are counted here.')
        : html`<ul class="errors">
            ${errors.map(
              (each) =>
                html` <li>
                  <button
                    type="button"
                    aria-pressed=${each.error === this.query.error && each.queue === this.query.queue}
                    @click=${() => this.#choose(each)}
                  >
                    <span class="error">${each.error ?? 'no error text'}</span><b>${number(each.count)}</b>
                    <span class="muted">${each.queue} · ${groupName(each.consumerGroup)} · ${time(each.lastFailedAt)}</span
                    >${share(each.count, most, 'bad')}
                  </button>
                </li>`,
            )}
          </ul>`,
      html`<span class="muted">${plural(errors.length, 'kind')}</span>`,
    );
  }

  #choose(each) {
    const isChosen = each.error === this.query.error && each.queue === this.query.queue;
    refine(isChosen ? { error: null, offset: null } : { error: each.error, queue: each.queue, group: each.consumerGroup, offset: null });
  }

  #columns() {
    const { letters } = this.data;
    const isAll = letters.messages.length > 0 && letters.messages.every((letter) => this.chosen.has(keyOf(letter)));
    const isOfUse = session.may('redrive') || session.may('purgeDeadLetters');
    return [
      isOfUse && {
        title: html`<input
          type="checkbox"
          aria-label="Select all on this page"
          .checked=${isAll}
          @change=${(event) => this.#mark(letters.messages, event.target.checked)}
        />`,
        kind: 'check',
        cell: (letter) =>
          html`<input
            type="checkbox"
            aria-label="Select ${letter.transactionId}"
            .checked=${this.chosen.has(keyOf(letter))}
            @change=${(event) => this.#mark([letter], event.target.checked)}
          />`,
      },
      {
        title: 'Message',
        kind: 'wide',
        cell: (letter) =>
          html`<a class="name mono" href=${messageUrl(letter)}>${letter.transactionId}</a> ${headersOf(letter)}
            <div class="muted clip">${letter.errorMessage ?? 'no error text'}</div>`,
      },
      {
        title: 'Partition',
        cell: (letter) =>
          html`<a href=${url('/partitions/:partitionId', { partitionId: letter.partitionId, group: letter.consumerGroup })}
              >${letter.queue} / ${letter.partition}</a
            >
            <div class="muted">${groupName(letter.consumerGroup)}</div>`,
      },
      { title: 'Attempts', kind: 'num', cell: (letter) => number(letter.retryCount) },
      { title: 'Failed', kind: 'num', cell: (letter) => time(letter.failedAt) },
    ].filter(Boolean);
  }

  #mark(letters, isChosen) {
    const chosen = new Map(this.chosen);
    letters.forEach((letter) => (isChosen ? chosen.set(keyOf(letter), letter) : chosen.delete(keyOf(letter))));
    this.chosen = chosen;
  }

  #ids() {
    return this.chosen.size ? [...new Set([...this.chosen.values()].map((letter) => letter.transactionId))] : undefined;
  }

  async #then(question) {
    if (!(await question)) return;
    this.chosen = new Map();
    this.reload();
  }
}

function keyOf(letter) {
  return `${letter.partitionId}/${letter.offset}/${letter.consumerGroup}`;
}

customElements.define('page-dead-letters', PageDeadLetters);
