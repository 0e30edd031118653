// Formats numbers and times.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const hundredths = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** 12345 as 12,345; a missing number as a dash. */
export function number(value) {
  return isMissing(value) ? '–' : whole.format(value);
}

/** Short form for narrow columns: 12.3K instead of numbers from 100,000. */
export function compact(value) {
  if (isMissing(value)) return '–';
  return Math.abs(value) >= 100_000 ? short.format(value) : whole.format(value);
}

/** Per second: small rates keep their decimals. */
export function rate(value) {
  if (isMissing(value)) return '–';
  return Math.abs(value) < 10 ? hundredths.format(value) : Math.abs(value) < 1000 ? tenths.format(value) : whole.format(value);
}

export function percent(value) {
  return isMissing(value) ? '–' : `${tenths.format(value)} %`;
}

export function bytes(value) {
  if (isMissing(value)) return '–';
  let size = Number(value);
  for (const unit of ['B', 'kB', 'MB', 'GB', 'TB']) {
    if (Math.abs(size) < 1024 || unit === 'TB') return `${unit === 'B' ? whole.format(size) : tenths.format(size)} ${unit}`;
    size /= 1024;
  }
  return '';
}

export function millis(value) {
  if (isMissing(value)) return '–';
  if (value < 10) return `${hundredths.format(value)} ms`;
  return value < 1000 ? `${whole.format(value)} ms` : seconds(value / 1000);
}

/** A duration: 0.4 s, 12 s, 3 min, 2 h 5 min, 4 d. */
export function seconds(value) {
  if (isMissing(value)) return '–';
  const total = Math.abs(Number(value));
  if (total < 10) return `${tenths.format(total)} s`;
  if (total < 90) return `${whole.format(total)} s`;
  if (total < 5400) return `${Math.round(total / 60)} min`;
  if (total < 172_800) {
    const minutes = Math.round(total / 60);
    return minutes % 60 && minutes < 600 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${Math.round(minutes / 60)} h`;
  }
  return `${Math.round(total / 86_400)} d`;
}

/** "3 min ago", "in 12 s", or the date for old times. */
export function relative(time, now = Date.now()) {
  const moment = new Date(time).getTime();
  if (isMissing(time) || Number.isNaN(moment)) return '–';
  const distance = (now - moment) / 1000;
  if (Math.abs(distance) < 2) return 'now';
  if (Math.abs(distance) > 30 * 86_400) return new Date(moment).toISOString().slice(0, 10);
  return distance > 0 ? `${seconds(Math.floor(distance))} ago` : `in ${seconds(Math.ceil(-distance))}`;
}

/** With milliseconds and the zone, for the tooltip. */
export function exact(time) {
  const moment = new Date(time);
  return Number.isNaN(moment.getTime()) ? '' : `${moment.toISOString().replace('T', ' ').replace('Z', '')} UTC`;
}

/** Returns the name of a group for display. Consumers without a group have an internal name. */
export function groupName(name) {
  return name === '__QUEUE_MODE__' ? '(no group)' : name;
}

export function plural(count, one, many = `${one}s`) {
  return `${number(count)} ${Number(count) === 1 ? one : many}`;
}

function isMissing(value) {
  return value === null || value === undefined || value === '' || Number.isNaN(value);
}
