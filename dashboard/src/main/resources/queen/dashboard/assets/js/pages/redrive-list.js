// Running and recent redrives with their progress.
import { html, nothing } from 'lit';
import { call } from '../core/api.js';
import { number } from '../core/format.js';
import { badge } from '../ui/badge.js';
import { action } from '../ui/buttons.js';
import { card, share } from '../ui/table.js';
import { time } from '../ui/ui-time.js';
import { toast } from '../ui/ui-toasts.js';

const RECENT_MS = 3_600_000;

export function redriveList(redrives, reload) {
  const shown = redrives.filter((each) => !each.finishedAt || Date.now() - new Date(each.finishedAt) < RECENT_MS);
  if (shown.length === 0) return nothing;
  return card(
    'Redrives',
    html`<ul class="redrives">
      ${shown.map(
        (each) =>
          html` <li>
            <span>${badge(state(each), each.waitingFor ? 'waiting' : each.status)}</span>
            <span class="what">${each.queue ?? 'all queues'}${each.error ? html` <span class="muted">${each.error}</span>` : nothing}${trouble(each)}</span
            >
            ${share(each.redriven + each.failed, each.total)}
            <span class="num"
              >${number(each.redriven)} of
              ${number(each.total)}${each.failed ? html`, <span class="bad-text">${number(each.failed)} failed</span>` : nothing}</span
            >
            <span class="muted">${time(each.finishedAt ?? each.createdAt)}</span>
            ${each.finishedAt ? nothing : action('cancelRedrive', 'Stop', () => cancel(each.id, reload), { icon: 'close', small: true })}
          </li>`,
      )}
    </ul>`,
  );
}

function trouble(redrive) {
  if (redrive.waitingFor) return html` <span class="warn-text" title=${redrive.waitingFor}>Waiting: ${redrive.waitingFor}</span>`;
  return redrive.lastError ? html` <span class="bad-text" title=${redrive.lastError}>${redrive.lastError}</span>` : nothing;
}

function state(redrive) {
  if (!redrive.finishedAt) return redrive.waitingFor ? 'warn' : 'running';
  if (redrive.status === 'failed') return 'failed';
  return redrive.failed > 0 ? 'warn' : 'done';
}

async function cancel(id, reload) {
  await call('cancelRedrive', { id });
  toast('Redrive stopped.');
  reload();
}
