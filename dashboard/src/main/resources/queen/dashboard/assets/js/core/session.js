// The user of the dashboard and their rights. The bearer token is in the session storage of this tab, so that it survives a
// reload. The refresh token is in memory only, because it is valid for much longer.
import { call, OPERATIONS } from './api.js';
import { completeLogin, isReturning, leaveForLogin, leaveForLogout, LoginError, renew, requireAvailable } from './oidc.js';

const KEY = 'queen.token';
const METHOD = 'queen.method';
const LEVELS = ['public', 'read-only', 'read-write', 'admin'];
const RETRY_MS = 10_000;

class Session extends EventTarget {
  token = sessionStorage.getItem(KEY);
  /** True if the identity provider issued the token; false if it was pasted. */
  isSignedIn = sessionStorage.getItem(METHOD) === 'oidc';
  subject = null;
  role = null;
  rights = null;
  isTokenNeeded = false;
  isLoginRequired = false;
  reason = null;
  /** The identity provider; null if there is none. */
  provider = null;
  /** The options of queues: their JSON schemas, by name. */
  queueOptions = {};
  #access = {};
  #renewable = null;
  #renewing = null;

  /**
   * Loads the access that each route needs, the options of queues and the identity of the user. Must complete before the
   * first page is shown.
   */
  async begin() {
    const document = await call('openApi');
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        this.#access[`${method.toUpperCase()} ${path}`] = { access: operation['x-access'], right: operation['x-right'] };
      }
    }
    this.queueOptions = document.components.schemas.QueueOptions.properties;
    await this.loadProvider();
    if (isReturning() && !this.token) await this.#completeLogin();
    if (!this.isLoginRequired) await this.identify();
  }

  async loadProvider() {
    this.provider = (await call('login')).oidc;
    this.dispatchEvent(new Event('change'));
  }

  async identify() {
    try {
      const identity = await call('identity');
      const { subject, role, rights, isTokenNeeded } = identity;
      Object.assign(this, { subject, role, rights, isTokenNeeded });
      this.#update({ isLoginRequired: false, reason: null });
    } catch (error) {
      if (error.status !== 401) throw error;
    }
  }

  /** Returns true if the user may call an operation of the API. */
  may(operation) {
    const key = OPERATIONS[operation].replace(/:([A-Za-z]+)/g, '{$1}');
    const { access, right } = this.#access[key] ?? { access: 'admin', right: { scope: 'server' } };
    const isWithinRole = LEVELS.indexOf(this.role ?? 'public') >= LEVELS.indexOf(access);
    if (this.rights === null) return isWithinRole;
    if (right.scope === 'server') return access === 'public' || this.role === 'admin';
    return (this.role === 'none' || isWithinRole) && (right.rights ?? []).every((each) => this.#hasRight(each));
  }

  /** Returns true if we have the right on some queue. The server decides about the queue in question. */
  #hasRight(right) {
    return this.rights.some((entry) => ['*', right].some((word) => entry.split(':')[0].split(',').includes(word)));
  }

  /**
   * Returns true if the server may let this user remove messages and protection by options and redrives. Without a role, the
   * rights on the queue in question decide.
   */
  get mayRemove() {
    return this.role === 'admin' || (this.role === 'none' && this.rights !== null);
  }

  async useToken(token) {
    this.#keep(token, false);
    await this.identify();
  }

  /** Navigates to the login page of the identity provider, which redirects to this page. */
  async signIn() {
    await this.loadProvider();
    requireAvailable(this.provider);
    await leaveForLogin(this.provider);
  }

  signOut() {
    const isLeaving = this.isSignedIn && leaveForLogout(this.provider);
    this.#forget();
    this.isTokenNeeded = true;
    if (!isLeaving) this.#update({ isLoginRequired: true, reason: null });
  }

  /** Returns the token for a request, renewed if it expires soon; null without one. */
  async bearer() {
    if (this.#renewable && Date.now() >= this.#renewable.renewAtMs) await this.#renew();
    return this.token;
  }

  /** Returns true if there is a newer token than the rejected one, so that the request can be repeated. */
  async replace(rejected) {
    if (this.#renewable && this.token === rejected) await this.#renew();
    return this.token !== null && this.token !== rejected;
  }

  /** Shows the login form: the token is missing or was rejected. */
  refused(reason) {
    const hadToken = this.token !== null;
    this.#forget();
    this.isTokenNeeded = true;
    this.#update({ isLoginRequired: true, reason: hadToken ? reason : null });
  }

  async #completeLogin() {
    try {
      this.#accept(await completeLogin(this.provider));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** At most one renewal is in flight. */
  #renew() {
    this.#renewing ??= this.#renewNow().finally(() => (this.#renewing = null));
    return this.#renewing;
  }

  async #renewNow() {
    const before = this.#renewable;
    try {
      const renewed = await renew(this.provider, before);
      if (this.#renewable === before) this.#accept(renewed);
    } catch (error) {
      if (!(error instanceof LoginError)) throw error;
      // The token stays in use until the server rejects it.
      before.renewAtMs = Date.now() + RETRY_MS;
    }
  }

  #accept({ bearer, refreshToken, subject, lifetimeMs }) {
    this.#keep(bearer, true);
    this.#renewable = refreshToken && { refreshToken, subject, renewAtMs: Date.now() + lifetimeMs * 0.75 };
  }

  #fail(error) {
    if (!(error instanceof LoginError)) throw error;
    this.isTokenNeeded = true;
    this.#update({ isLoginRequired: true, reason: error.message });
  }

  #keep(token, isSignedIn) {
    Object.assign(this, { token, isSignedIn });
    this.#renewable = null;
    sessionStorage.setItem(KEY, token);
    if (isSignedIn) sessionStorage.setItem(METHOD, 'oidc');
    else sessionStorage.removeItem(METHOD);
  }

  #forget() {
    sessionStorage.removeItem(KEY);
    sessionStorage.removeItem(METHOD);
    this.#renewable = null;
    Object.assign(this, { token: null, isSignedIn: false, subject: null, role: null, rights: null });
  }

  #update(state) {
    Object.assign(this, state);
    this.dispatchEvent(new Event('change'));
  }
}

export const session = new Session();
