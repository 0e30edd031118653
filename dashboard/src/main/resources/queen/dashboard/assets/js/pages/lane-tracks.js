// How far each group has come in a lane, drawn to scale: finished, held, unread.
import { html } from 'lit';
import { styleMap } from 'lit-html/directives/style-map.js';
import { groupName, number, seconds } from '../core/format.js';
import { badge } from '../ui/badge.js';
import { empty } from '../ui/states.js';

export function tracks(lane, chosen, choose) {
  if (lane.groups.length === 0) return empty('No group has read this lane.', 'Its messages wait for the first pop.');
  const whole = Math.max(1, lane.head - lane.tail);
  const at = (offset) => `${((Math.min(lane.head, Math.max(lane.tail, offset)) - lane.tail) / whole) * 100}%`;
  return html`<div class="tracks" role="group" aria-label="Groups">${lane.groups.map((group) => html`
    <button type="button" class="track-row" aria-pressed=${group.consumerGroup === chosen} @click=${() => choose(group.consumerGroup)}>
      <span class="name">${groupName(group.consumerGroup)}</span>
      <span class="track" style=${styleMap({ '--done': at(group.offset), '--held': at(group.offset + group.processing) })}
        title="next: ${group.offset}"><i class="held"></i><i class="done"></i><i class="flag"></i></span>
      ${badge(group.state)}
      <span class="num">${number(group.offsetLag)} unread${group.offsetLag > 0 ? html`<small>${seconds(group.timeLagSeconds)}</small>` : ''}</span>
    </button>`)}</div>`;
}
