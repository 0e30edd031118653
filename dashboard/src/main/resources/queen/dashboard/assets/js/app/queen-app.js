// The frame around every page: menu, head, palette, token box.
import { html, nothing } from 'lit';
import { QueenElement } from '../core/element.js';
import { groupName } from '../core/format.js';
import { followLinks, here, PAGES } from '../core/place.js';
import { session } from '../core/session.js';
import { applyTheme } from '../core/theme.js';
import { crown, icon } from '../ui/icons.js';
import { empty, failure, skeleton } from '../ui/states.js';
import { pageOf } from '../pages/all.js';
import './ui-health.js';
import './ui-palette.js';
import './ui-spool.js';
import './ui-theme.js';
import './ui-token.js';

const IS_MAC = navigator.platform.startsWith('Mac');

class QueenApp extends QueenElement {
  static properties = {
    place: { state: true },
    isReady: { state: true },
    error: { state: true },
    isMenuOpen: { state: true },
    trail: { state: true },
  };

  constructor() {
    super();
    this.place = here();
    this.isReady = false;
    this.error = null;
    this.isMenuOpen = false;
  }

  connectedCallback() {
    super.connectedCallback();
    applyTheme();
    followLinks(() => this.#move());
    session.addEventListener('change', () => this.requestUpdate());
    document.addEventListener('keydown', this.#onKey);
    this.#begin();
  }

  async #begin() {
    try {
      await session.begin();
      this.isReady = true;
      this.error = null;
    } catch (error) {
      this.error = error;
    }
  }

  #move() {
    const before = this.place;
    this.place = here();
    this.isMenuOpen = false;
    if (JSON.stringify(before?.params) !== JSON.stringify(this.place?.params)) this.trail = null;
    if (before?.page !== this.place?.page) window.scrollTo(0, 0);
  }

  #onKey = (event) => {
    if (event.key === 'Escape') this.isMenuOpen = false;
    const isTyping = event.target.closest?.('input, textarea, select');
    if ((event.key === 'k' && (event.metaKey || event.ctrlKey)) || (event.key === '/' && !isTyping)) {
      event.preventDefault();
      this.#openPalette();
    }
  };

  #openPalette() {
    if (!session.isLoginRequired) this.querySelector('ui-palette').open();
  }

  render() {
    const page = this.place?.page;
    const about = this.#about(page);
    document.title = page ? `${about.map(([name]) => name).join(' / ') || page.title} · Queen` : 'Queen';
    return html` <a class="to-content" href="#content" data-plain @click=${this.#toContent}>Skip to content</a>
      ${this.#menu(page)}
      <div class="main">
        <header class="head">
          <button
            class="plain only-narrow"
            aria-label="Menu"
            aria-expanded=${this.isMenuOpen}
            @click=${() => (this.isMenuOpen = !this.isMenuOpen)}
          >
            ${icon('menu')}
          </button>
          ${this.#title(page, about)}
          ${page?.help ? html`<a class="help" href="/docs/${page.help}" data-plain>Help</a>` : nothing}
          <button class="find" type="button" @click=${this.#openPalette} aria-label="Find a queue, group, partition or message">
            ${icon('search')}<span>Find…</span><kbd>${IS_MAC ? '⌘K' : 'Ctrl K'}</kbd>
          </button>
        </header>
        <ui-spool></ui-spool>
        <main id="content" tabindex="-1" @named=${(event) => (this.trail = event.detail)}>${this.#content()}</main>
      </div>
      <ui-palette></ui-palette>`;
  }

  #menu(page) {
    return html` <nav class="menu ${this.isMenuOpen ? 'open' : ''}" aria-label="Pages">
        <a class="brand" href="/">${crown()}<span>Queen</span></a>
        <div class="links">
          ${PAGES.filter((each) => each.isInMenu).map(
            (each) =>
              html` <a href=${each.path} aria-current=${isWithin(page, each) ? 'page' : 'false'}
                >${icon(each.icon)}<span>${each.title}</span></a
              >`,
          )}
        </div>
        <div class="foot"><a class="documents" href="/docs" data-plain>Documentation</a><ui-health></ui-health><ui-theme></ui-theme></div>
      </nav>
      ${this.isMenuOpen ? html`<div class="veil" @click=${() => (this.isMenuOpen = false)}></div>` : nothing}`;
  }

  #title(page, about) {
    if (!page?.parent) return html`<h1>${page?.title ?? 'Not found'}</h1>`;
    const parent = PAGES.find((each) => each.path === page.parent);
    return html`<h1>
      <a class=${about.length > 1 ? 'root' : ''} href=${parent.path}>${parent.title}</a>
      ${about.map(
        ([name, to]) =>
          html`<span class="slash">/</span>${to ? html`<a href=${to} title=${name}>${name}</a>` : html`<span class="name" title=${name}>${name}</span>`}`,
      )}
    </h1>`;
  }

  /** Returns the objects in the title, as [name, address]. Pages whose address does not contain the name set the trail. */
  #about(page) {
    if (!page?.parent) return [];
    const { queue, group, transactionId, name } = this.place.params;
    return this.trail ?? [[queue ?? groupName(group) ?? transactionId ?? name ?? page.title]];
  }

  #content() {
    if (session.isLoginRequired) return html`<ui-token .reason=${session.reason}></ui-token>`;
    if (this.error) return failure(this.error, () => this.#begin());
    if (!this.isReady) return skeleton();
    if (!this.place) return empty('Page not found.', html`See the <a href="/">overview</a>.`);
    return pageOf(this.place);
  }

  #toContent(event) {
    event.preventDefault();
    document.getElementById('content').focus();
  }
}

function isWithin(page, menu) {
  return page === menu || page?.parent === menu.path;
}

customElements.define('queen-app', QueenApp);
