// Line icons of 16 × 16, drawn for this dashboard.
import { svg, html } from 'lit';

const PATHS = {
  overview: svg`<path d="M2 13V8.5M6 13V3M10 13V6.5M14 13v-3"/>`,
  queues: svg`<path d="M2 4h9M2 8h12M2 12h6"/><path d="m12 2.5 2 1.5-2 1.5"/>`,
  messages: svg`<rect x="2" y="3" width="12" height="10" rx="1.5"/><path d="m2.5 4.5 5.5 4.5 5.5-4.5"/>`,
  groups: svg`<circle cx="5.5" cy="5.5" r="2.5"/><path d="M1.5 13.5c0-2.5 1.8-4 4-4s4 1.5 4 4M10.5 3.3a2.5 2.5 0 0 1 0 4.4M11.5 9.8c1.9.4 3 1.8 3 3.7"/>`,
  streams: svg`<path d="M1.5 5c2-2.5 4-2.5 6.5 0s4.5 2.5 6.5 0M1.5 11c2-2.5 4-2.5 6.5 0s4.5 2.5 6.5 0"/>`,
  dead: svg`<path d="M3 7a5 5 0 0 1 10 0c0 1.8-.8 2.8-1.8 3.5V13H4.8v-2.5C3.8 9.8 3 8.8 3 7zM6.5 13v-1.5M9.5 13v-1.5"/><circle cx="6.2" cy="7.2" r=".7"/><circle cx="9.8" cy="7.2" r=".7"/>`,
  traces: svg`<circle cx="3.5" cy="3.5" r="1.5"/><circle cx="12.5" cy="8" r="1.5"/><circle cx="5.5" cy="12.5" r="1.5"/><path d="m4.9 4.2 6.2 3.1M11.1 8.8l-4.3 2.9"/>`,
  operations: svg`<path d="M1.5 8.5h3l2-5.5 3 10 2-4.5h3"/>`,
  postgres: svg`<ellipse cx="8" cy="3.8" rx="5.5" ry="2"/><path d="M2.5 3.8v8.4c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2V3.8M2.5 8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2"/>`,
  system: svg`<circle cx="8" cy="8" r="2.2"/><path d="M8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4"/>`,
  search: svg`<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 4 4"/>`,
  menu: svg`<path d="M2 4h12M2 8h12M2 12h12"/>`,
  close: svg`<path d="m3.5 3.5 9 9M12.5 3.5l-9 9"/>`,
  plus: svg`<path d="M8 2.5v11M2.5 8h11"/>`,
  pause: svg`<path d="M5.5 3v10M10.5 3v10"/>`,
  play: svg`<path d="M5 3v10l8-5z"/>`,
  trash: svg`<path d="M2.5 4.5h11M6 4V2.5h4V4M4 4.5l.6 9h6.8l.6-9"/>`,
  copy: svg`<rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M10.5 3.5v-1h-8v8h1"/>`,
  seek: svg`<path d="M2 3v10M5 8h9M11 5l3 3-3 3"/>`,
  skip: svg`<path d="m3 3.5 7 4.5-7 4.5zM13 3v10"/>`,
  replay: svg`<path d="M3 8a5 5 0 1 0 1.7-3.7M2.5 2.5v3h3"/>`,
  edit: svg`<path d="M10.5 3 13 5.5 5.5 13H3v-2.5z"/>`,
  send: svg`<path d="M14 2 2 7l4.5 2L8.5 14zM14 2 6.5 9"/>`,
  light: svg`<circle cx="8" cy="8" r="3"/><path d="M8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.4 1.4M11.6 11.6 13 13M13 3l-1.4 1.4M4.4 11.6 3 13"/>`,
  dark: svg`<path d="M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z"/>`,
  auto: svg`<circle cx="8" cy="8" r="5.5"/><path d="M8 2.5v11" /><path d="M8 4.5h3.5M8 8h5M8 11.5h3.5"/>`,
  more: svg`<circle cx="3" cy="8" r=".8"/><circle cx="8" cy="8" r=".8"/><circle cx="13" cy="8" r=".8"/>`,
  out: svg`<path d="M9 3H3v10h6M7 8h7M11.5 5.5 14 8l-2.5 2.5"/>`,
  lock: svg`<rect x="3" y="7" width="10" height="7" rx="1.5"/><path d="M5 7V5a3 3 0 0 1 6 0v2"/>`,
};

export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${PATHS[name]}</svg>`;
}

/** The logo. */
export function crown() {
  return html`<svg class="crown" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" />
    <path d="M7 21.5 6 11l5.5 4.2L16 8l4.5 7.2L26 11l-1 10.5zM7.5 23.5h17V25.5h-17z" />
  </svg>`;
}
