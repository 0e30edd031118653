// The range of time that charts show, as it stands in the address: ?range=6h, or ?from=…&to=….

export const RANGES = { '1h': 3600, '6h': 21_600, '24h': 86_400 };

/** from and to for the API. */
export function rangeOf(query) {
  if (query.from) return { from: query.from, to: query.to || undefined };
  const seconds = RANGES[query.range] ?? RANGES['1h'];
  return { from: new Date(Date.now() - seconds * 1000).toISOString() };
}
