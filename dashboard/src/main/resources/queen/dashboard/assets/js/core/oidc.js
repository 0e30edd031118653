// Signs in with an OpenID Connect provider: authorization-code flow with PKCE, as a public client. Tokens and codes are sent in
// bodies and headers only. The code that the provider puts into the address is removed before anything else happens.

const STARTED = 'queen.login';
const CALLBACK = '/login';
const TIMEOUT_MS = 15_000;
const RANDOM_BYTES = 32;

/** A sign-in that failed. Its message is a complete text for users. */
export class LoginError extends Error {}

let response = takeResponse();

/** Returns the response of the provider, once; null if this page was not opened by one. */
function takeResponse() {
  if (location.pathname !== CALLBACK) return null;
  const query = new URLSearchParams(location.search);
  const started = takeStarted();
  // Removes the code from the address and from the history of the tab.
  history.replaceState(null, '', started?.returnTo ?? '/');
  return query.size ? { query, started } : null;
}

// A sign-in can be completed once, so that a second response with the same state is rejected.
function takeStarted() {
  const started = JSON.parse(sessionStorage.getItem(STARTED));
  sessionStorage.removeItem(STARTED);
  return started;
}

/** Returns true if a response of the provider is to be completed. */
export function isReturning() {
  return response !== null;
}

/** Navigates to the login page of the provider. */
export async function leaveForLogin(provider) {
  if (!crypto.subtle) {
    throw new LoginError('Browsers allow this sign-in on HTTPS addresses and on localhost only. Open the dashboard with HTTPS, or use a token.');
  }
  const started = {
    state: random(),
    nonce: random(),
    verifier: random(),
    issuer: provider.issuer,
    redirectUri: location.origin + CALLBACK,
    returnTo: location.pathname + location.search,
  };
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(started.verifier));
  sessionStorage.setItem(STARTED, JSON.stringify(started));
  location.assign(
    address(provider.authorizationEndpoint, {
      response_type: 'code',
      client_id: provider.clientId,
      redirect_uri: started.redirectUri,
      scope: provider.scopes,
      state: started.state,
      nonce: started.nonce,
      code_challenge: base64Url(new Uint8Array(challenge)),
      code_challenge_method: 'S256',
      ...(provider.audience && { audience: provider.audience }),
    }),
  );
}

/** Exchanges the code of the response for tokens. */
export async function completeLogin(provider) {
  const { query, started } = response;
  response = null;
  if (!started || query.get('state') !== started.state) {
    throw new LoginError('This response does not belong to a sign-in of this tab ("state" differs). Sign in again.');
  }
  const isForeign = query.has('iss') ? query.get('iss') !== provider?.issuer : provider?.isIssuerInResponse;
  if (started.issuer !== provider?.issuer || started.redirectUri !== location.origin + CALLBACK || isForeign) {
    throw new LoginError('This response is not of the identity provider that the sign-in began with. Sign in again.');
  }
  if (query.has('error')) {
    const reason = query.get('error_description') ?? query.get('error');
    throw new LoginError(`The identity provider rejected the sign-in: ${reason.slice(0, 300)}`);
  }
  requireAvailable(provider);
  const tokens = await request(provider, {
    grant_type: 'authorization_code',
    code: query.get('code') ?? '',
    redirect_uri: started.redirectUri,
    code_verifier: started.verifier,
  });
  const claims = claimsOf(tokens.id_token, provider);
  if (claims.nonce !== started.nonce) {
    throw new LoginError('The token was not issued for this sign-in ("nonce" differs). Sign in again.');
  }
  return grant(provider, tokens, claims);
}

/** Returns new tokens for the same user. */
export async function renew(provider, { refreshToken, subject }) {
  const tokens = await request(provider, { grant_type: 'refresh_token', refresh_token: refreshToken });
  // A provider may leave the ID token out here. Then only access tokens can be renewed.
  const claims = tokens.id_token || !provider.audience ? claimsOf(tokens.id_token, provider) : { sub: subject };
  if (claims.sub !== subject) throw new LoginError('The identity provider renewed the token of another user. Sign in again.');
  return grant(provider, { refresh_token: refreshToken, ...tokens }, claims);
}

/** Navigates to the page of the provider that ends its session. Returns false if the provider has none. */
export function leaveForLogout(provider) {
  if (!provider?.endSessionEndpoint) return false;
  // Without id_token_hint: a token must not be part of an address.
  location.assign(address(provider.endSessionEndpoint, { client_id: provider.clientId, post_logout_redirect_uri: `${location.origin}/` }));
  return true;
}

export function requireAvailable(provider) {
  if (!provider?.isAvailable) {
    throw new LoginError(`The identity provider ${hostOf(provider)} does not respond. Try again, or use a token.`);
  }
}

export function hostOf(provider) {
  return provider ? new URL(provider.issuer).host : '';
}

/**
 * The part of a token response that the dashboard uses. The lifetime is relative to the clock of this browser, because that may
 * be wrong; the server decides whether a token has expired.
 */
function grant(provider, tokens, claims) {
  const bearer = provider.audience ? tokens.access_token : tokens.id_token;
  if (!bearer) throw new LoginError('The identity provider issued no access token. Check OIDC_SCOPES and OIDC_AUDIENCE.');
  const lifetimeS = provider.audience ? tokens.expires_in : claims.exp - claims.iat;
  return { bearer, refreshToken: tokens.refresh_token ?? null, subject: claims.sub, lifetimeMs: Math.max(0, Number(lifetimeS) || 0) * 1000 };
}

async function request(provider, fields) {
  let answer;
  let tokens;
  try {
    answer = await fetch(provider.tokenEndpoint, {
      method: 'POST',
      body: new URLSearchParams({ client_id: provider.clientId, ...fields }),
      headers: { Accept: 'application/json' },
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    tokens = await answer.json();
  } catch {
    throw new LoginError(`The identity provider ${hostOf(provider)} does not respond, or does not allow requests of this page (CORS). Try again, or use a token.`);
  }
  if (!answer.ok) {
    const reason = tokens?.error_description ?? tokens?.error ?? `status ${answer.status}`;
    throw new LoginError(`The identity provider rejected the sign-in: ${String(reason).slice(0, 300)}`);
  }
  return tokens;
}

// The provider itself issued the token, so its signature is left to the server, which verifies it with every request.
function claimsOf(idToken, { issuer, clientId }) {
  let claims;
  try {
    const part = idToken.split('.')[1].replace(/-/g, '+').replace(/_/g, '/');
    claims = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(part), (c) => c.charCodeAt(0))));
  } catch {
    throw new LoginError('The identity provider issued no ID token. Check that OIDC_SCOPES contains openid.');
  }
  if (claims.iss !== issuer || ![claims.aud].flat().includes(clientId)) {
    throw new LoginError('The identity provider issued a token for another client ("iss" or "aud" differs).');
  }
  return claims;
}

function address(endpoint, parameters) {
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function random() {
  return base64Url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
}

function base64Url(bytes) {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
