// The time range of charts in the address: ?range=6h, or ?from=…&to=….

const MARGIN_S = 30;

export const RANGES = { '1h': 3600, '6h': 21_600, '24h': 86_400 };

/** Returns from and to for the API. */
export function rangeOf(query) {
  if (query.from) return { from: query.from, to: query.to || undefined };
  const seconds = RANGES[query.range] ?? RANGES['1h'];
  // Slightly shorter, because the response arrives later, and a longer range has wider buckets.
  return { from: new Date(Date.now() - (seconds - MARGIN_S) * 1000).toISOString() };
}

/** Returns the start and the end of a range in milliseconds, the time axis of all charts of a page. */
export function axisOf({ from, to }) {
  return { min: Date.parse(from), max: to ? Date.parse(to) : Date.now() };
}

/** Removes the incomplete last bucket, which would look like a decrease. */
export function complete(points, query) {
  return query.to || points.length < 3 ? points : points.slice(0, -1);
}
