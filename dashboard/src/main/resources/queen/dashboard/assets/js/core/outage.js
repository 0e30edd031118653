// An unavailable PostgreSQL, in the words of the command line and the log.

/** Returns the title and the effect of an outage, or null. @param health the response of GET /health */
export function outageOf({ database, summary, spool }) {
  if (database !== 'disconnected') return null;
  const effect = summary?.split(': ').slice(1).join(': ');
  return { what: 'PostgreSQL is unavailable', why: effect ? sentence(effect) : effectOf(spool) };
}

function effectOf(spool) {
  return spool?.state === 'ready'
    ? 'Pushes are spooled. Other requests are rejected with 503 until PostgreSQL is available.'
    : 'Requests are rejected with 503 until PostgreSQL is available.';
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
