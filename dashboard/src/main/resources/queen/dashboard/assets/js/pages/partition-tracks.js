// The position of each group in a partition, to scale: finished, leased, unread.
import { html, svg } from 'lit';
import { groupName, number, seconds } from '../core/format.js';
import { badge } from '../ui/badge.js';
import { empty } from '../ui/states.js';

const WIDTH = 1000;
const HEIGHT = 18;

export function tracks(partition, chosen, choose) {
  if (partition.groups.length === 0) return empty('No group has read this partition.', 'The first pop creates a group.');
  const whole = Math.max(1, partition.head - partition.tail);
  const at = (offset) => ((Math.min(partition.head, Math.max(partition.tail, offset)) - partition.tail) / whole) * WIDTH;
  return html`<div class="tracks" role="group" aria-label="Groups">
    ${partition.groups.map(
      (group) =>
        html` <button
          type="button"
          class="track-row"
          aria-pressed=${group.consumerGroup === chosen}
          @click=${() => choose(group.consumerGroup)}
        >
          <span class="name">${groupName(group.consumerGroup)}</span>
          ${track(at(group.offset), at(group.offset + group.processing))} ${badge(group.state)}
          <span class="num"
            >${number(group.offsetLag)} unread${group.offsetLag > 0 ? html`<small>${seconds(group.timeLagSeconds)}</small>` : ''}</span
          >
        </button>`,
    )}
  </div>`;
}

// SVG, because the content security policy rejects styles in markup.
function track(done, held) {
  return html`<svg class="track" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    ${svg`
    <rect class="all" y="5" width=${WIDTH} height="8"/><rect class="done" y="5" width=${done} height="8"/>
    <rect class="held" y="5" x=${done} width=${Math.max(0, held - done)} height="8"/>
    <line x1=${done} x2=${done} y1="0" y2=${HEIGHT}/>`}
  </svg>`;
}
