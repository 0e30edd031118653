// Who uses the dashboard, and what they may do. The token lives in the session storage of this tab and nowhere else.
import { call, OPERATIONS } from './api.js';

const KEY = 'queen.token';
const LEVELS = ['public', 'read-only', 'read-write', 'admin'];

class Session extends EventTarget {
  token = sessionStorage.getItem(KEY);
  subject = null;
  role = null;
  isTokenNeeded = false;
  isAsking = false;
  reason = null;
  #access = {};

  /** Learns what each route needs and who we are; to be awaited before the first page is shown. */
  async begin() {
    const document = await call('openApi');
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        this.#access[`${method.toUpperCase()} ${path}`] = operation['x-access'];
      }
    }
    await this.identify();
  }

  async identify() {
    try {
      const identity = await call('identity');
      Object.assign(this, { subject: identity.subject, role: identity.role, isTokenNeeded: identity.isTokenNeeded });
      this.#tell({ isAsking: false, reason: null });
    } catch (error) {
      if (error.status !== 401) throw error;
    }
  }

  /** Whether an operation of the API is worth offering. */
  may(operation) {
    const key = OPERATIONS[operation].replace(/:([A-Za-z]+)/g, '{$1}');
    const needed = LEVELS.indexOf(this.#access[key] ?? 'admin');
    return LEVELS.indexOf(this.role ?? 'public') >= needed;
  }

  /** Returns true if the server lets this user remove messages and protection by options and redrives. */
  get mayRemove() {
    return this.role === 'admin';
  }

  async useToken(token) {
    this.token = token;
    sessionStorage.setItem(KEY, token);
    await this.identify();
  }

  signOut() {
    this.#forget();
    this.isTokenNeeded = true;
    this.#tell({ isAsking: true, reason: null });
  }

  /** The server did not take the token, or there was none. */
  refused(reason) {
    const hadToken = this.token !== null;
    this.#forget();
    this.isTokenNeeded = true;
    this.#tell({ isAsking: true, reason: hadToken ? reason : null });
  }

  #forget() {
    sessionStorage.removeItem(KEY);
    Object.assign(this, { token: null, subject: null, role: null });
  }

  #tell(state) {
    Object.assign(this, state);
    this.dispatchEvent(new Event('change'));
  }
}

export const session = new Session();
