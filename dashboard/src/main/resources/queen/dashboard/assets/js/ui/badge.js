// States as color, shape and word. Each of the three is sufficient to distinguish them.
import { html } from 'lit';

const KINDS = {
  ok: 'ok',
  ready: 'ok',
  Stable: 'ok',
  completed: 'ok',
  finished: 'ok',
  done: 'ok',
  healthy: 'ok',
  live: 'ok',
  leased: 'busy',
  processing: 'busy',
  running: 'busy',
  pending: 'quiet',
  empty: 'quiet',
  Idle: 'quiet',
  unsubscribed: 'quiet',
  idle: 'quiet',
  removed: 'quiet',
  expired: 'quiet',
  cancelled: 'quiet',
  delayed: 'wait',
  window: 'wait',
  behind: 'wait',
  paused: 'paused',
  Paused: 'paused',
  maintenance: 'paused',
  retrying: 'warn',
  unread: 'warn',
  warn: 'warn',
  lagging: 'bad',
  Lagging: 'bad',
  Dead: 'bad',
  dead_letter: 'bad',
  dead_lettered: 'bad',
  exhausted: 'bad',
  failed: 'bad',
  unhealthy: 'bad',
  gone: 'bad',
  bad: 'bad',
  stuck: 'bad',
  full: 'bad',
};

const WORDS = {
  dead_letter: 'dead letter',
  dead_lettered: 'dead letter',
  Stable: 'stable',
  Lagging: 'lagging',
  Idle: 'idle',
  Dead: 'dead',
  Paused: 'paused',
  window: 'in its window',
  maintenance: 'closed for maintenance',
  exhausted: 'no attempt left',
  unread: 'no readers',
};

/** @param word text instead of the name of the state */
export function badge(state, word) {
  const kind = KINDS[state] ?? 'quiet';
  return html`<span class="badge ${kind}"><i class="mark"></i>${word ?? WORDS[state] ?? state}</span>`;
}
