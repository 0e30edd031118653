// All pages by address.
import { html } from 'lit';
import './page-dead-letters.js';
import './page-group.js';
import './page-groups.js';
import './page-partition.js';
import './page-message.js';
import './page-messages.js';
import './page-operations.js';
import './page-overview.js';
import './page-postgres.js';
import './page-queries.js';
import './page-query.js';
import './page-queue.js';
import './page-queues.js';
import './page-system.js';
import './page-traces.js';

const TEMPLATES = {
  'page-overview': (p, q) => html`<page-overview .params=${p} .query=${q}></page-overview>`,
  'page-queues': (p, q) => html`<page-queues .params=${p} .query=${q}></page-queues>`,
  'page-queue': (p, q) => html`<page-queue .params=${p} .query=${q}></page-queue>`,
  'page-partition': (p, q) => html`<page-partition .params=${p} .query=${q}></page-partition>`,
  'page-messages': (p, q) => html`<page-messages .params=${p} .query=${q}></page-messages>`,
  'page-message': (p, q) => html`<page-message .params=${p} .query=${q}></page-message>`,
  'page-groups': (p, q) => html`<page-groups .params=${p} .query=${q}></page-groups>`,
  'page-group': (p, q) => html`<page-group .params=${p} .query=${q}></page-group>`,
  'page-queries': (p, q) => html`<page-queries .params=${p} .query=${q}></page-queries>`,
  'page-query': (p, q) => html`<page-query .params=${p} .query=${q}></page-query>`,
  'page-dead-letters': (p, q) => html`<page-dead-letters .params=${p} .query=${q}></page-dead-letters>`,
  'page-traces': (p, q) => html`<page-traces .params=${p} .query=${q}></page-traces>`,
  'page-operations': (p, q) => html`<page-operations .params=${p} .query=${q}></page-operations>`,
  'page-postgres': (p, q) => html`<page-postgres .params=${p} .query=${q}></page-postgres>`,
  'page-system': (p, q) => html`<page-system .params=${p} .query=${q}></page-system>`,
};

export function pageOf(place) {
  return TEMPLATES[place.page.tag](place.params, place.query);
}
