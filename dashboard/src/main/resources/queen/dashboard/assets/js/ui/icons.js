// Line icons of 16 × 16, drawn for this dashboard.
import { svg, html } from 'lit';

const PATHS = {
  overview: svg`<path d="M2 13V8.500M6 13V3M10 13V6.500M14 13v-3"/>`,
  queues: svg`<path d="M2 4h9M2 8h12M2 12h6"/><path d="m12 2.500 2 1.500-2 1.500"/>`,
  messages: svg`<rect x="2" y="3" width="12" height="10" rx="1.500"/><path d="m2.500 4.500 5.500 4.500 5.500-4.500"/>`,
  groups: svg`<circle cx="5.500" cy="5.500" r="2.500"/><path d="M1.500 13.500c0-2.500 1.800-4 4-4s4 1.500 4 4M10.500 3.300a2.500 2.500 0 0 1 0 4.400M11.500 9.800c1.900.400 3 1.800 3 3.700"/>`,
  dead: svg`<path d="M3 7a5 5 0 0 1 10 0c0 1.800-.800 2.800-1.800 3.500V13H4.800v-2.500C3.800 9.800 3 8.800 3 7zM6.500 13v-1.500M9.500 13v-1.500"/><circle cx="6.200" cy="7.200" r=".7"/><circle cx="9.800" cy="7.200" r=".7"/>`,
  traces: svg`<circle cx="3.500" cy="3.500" r="1.500"/><circle cx="12.500" cy="8" r="1.500"/><circle cx="5.500" cy="12.500" r="1.500"/><path d="m4.900 4.200 6.200 3.100M11.100 8.800l-4.300 2.900"/>`,
  operations: svg`<path d="M1.500 8.500h3l2-5.500 3 10 2-4.500h3"/>`,
  postgres: svg`<ellipse cx="8" cy="3.800" rx="5.500" ry="2"/><path d="M2.500 3.800v8.400c0 1.100 2.500 2 5.500 2s5.500-.900 5.500-2V3.800M2.500 8c0 1.100 2.500 2 5.500 2s5.500-.900 5.500-2"/>`,
  system: svg`<circle cx="8" cy="8" r="2.200"/><path d="M8 1.500v2M8 12.500v2M1.500 8h2M12.500 8h2M3.400 3.400l1.400 1.400M11.200 11.200l1.400 1.400M12.600 3.400l-1.400 1.400M4.800 11.200l-1.400 1.400"/>`,
  search: svg`<circle cx="7" cy="7" r="4.500"/><path d="m10.500 10.500 4 4"/>`,
  menu: svg`<path d="M2 4h12M2 8h12M2 12h12"/>`,
  close: svg`<path d="m3.500 3.500 9 9M12.500 3.500l-9 9"/>`,
  plus: svg`<path d="M8 2.500v11M2.500 8h11"/>`,
  pause: svg`<path d="M5.500 3v10M10.500 3v10"/>`,
  play: svg`<path d="M5 3v10l8-5z"/>`,
  trash: svg`<path d="M2.500 4.500h11M6 4V2.500h4V4M4 4.500l.600 9h6.800l.600-9"/>`,
  copy: svg`<rect x="5.500" y="5.500" width="8" height="8" rx="1.500"/><path d="M10.500 3.500v-1h-8v8h1"/>`,
  seek: svg`<path d="M2 3v10M5 8h9M11 5l3 3-3 3"/>`,
  skip: svg`<path d="m3 3.500 7 4.500-7 4.500zM13 3v10"/>`,
  replay: svg`<path d="M3 8a5 5 0 1 0 1.700-3.700M2.500 2.500v3h3"/>`,
  edit: svg`<path d="M10.500 3 13 5.500 5.500 13H3v-2.500z"/>`,
  send: svg`<path d="M14 2 2 7l4.500 2L8.500 14zM14 2 6.500 9"/>`,
  light: svg`<circle cx="8" cy="8" r="3"/><path d="M8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.400 1.400M11.600 11.600 13 13M13 3l-1.400 1.400M4.400 11.600 3 13"/>`,
  dark: svg`<path d="M13.500 9.500A6 6 0 0 1 6.500 2.500a6 6 0 1 0 7 7z"/>`,
  auto: svg`<circle cx="8" cy="8" r="5.500"/><path d="M8 2.500v11" /><path d="M8 4.500h3.500M8 8h5M8 11.500h3.500"/>`,
  more: svg`<circle cx="3" cy="8" r=".8"/><circle cx="8" cy="8" r=".8"/><circle cx="13" cy="8" r=".8"/>`,
  out: svg`<path d="M9 3H3v10h6M7 8h7M11.500 5.500 14 8l-2.500 2.500"/>`,
  lock: svg`<rect x="3" y="7" width="10" height="7" rx="1.500"/><path d="M5 7V5a3 3 0 0 1 6 0v2"/>`,
};

export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${PATHS[name]}</svg>`;
}

/** The crown. */
export function crown() {
  return html`<svg class="crown" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M7 21.500 6 11l5.500 4.200L16 8l4.500 7.200L26 11l-1 10.500zM7.500 23.500h17V25.500h-17z"/></svg>`;
}
