// The operations of the API that the dashboard calls, by name. A test checks each address against /openapi.json.
import { session } from './session.js';

export const OPERATIONS = {
  health: 'GET /health',
  metrics: 'GET /metrics',
  openApi: 'GET /openapi.json',
  identity: 'GET /api/v1/identity',
  login: 'GET /api/v1/login',

  overview: 'GET /api/v1/resources/overview',
  status: 'GET /api/v1/status',
  listQueues: 'GET /api/v1/resources/queues',
  showQueue: 'GET /api/v1/resources/queues/:queue',
  listPartitions: 'GET /api/v1/resources/partitions',
  listPartitionsOfQueue: 'GET /api/v1/resources/queues/:queue/partitions',
  showPartition: 'GET /api/v1/partitions/:partitionId',
  explainPartition: 'GET /api/v1/explain/:partitionId',
  explainMessage: 'GET /api/v1/explain/:partitionId/:transactionId',
  queueOps: 'GET /api/v1/analytics/queue-ops',
  retention: 'GET /api/v1/analytics/retention',
  workerMetrics: 'GET /api/v1/analytics/worker-metrics',
  systemMetrics: 'GET /api/v1/analytics/system-metrics',
  postgresStats: 'GET /api/v1/analytics/postgres-stats',
  shards: 'GET /api/v1/analytics/shards',

  push: 'POST /api/v1/push',
  configure: 'POST /api/v1/configure',
  deleteQueue: 'DELETE /api/v1/resources/queues/:queue',
  clearQueue: 'DELETE /api/v1/queues/:queue/clear',
  pauseQueue: 'POST /api/v1/resources/queues/:queue/pause',
  resumeQueue: 'POST /api/v1/resources/queues/:queue/resume',
  pausePartition: 'POST /api/v1/partitions/:partitionId/pause',
  resumePartition: 'POST /api/v1/partitions/:partitionId/resume',

  listGroups: 'GET /api/v1/consumer-groups',
  showGroup: 'GET /api/v1/consumer-groups/:group',
  deleteGroup: 'DELETE /api/v1/consumer-groups/:group',
  deleteGroupOnQueue: 'DELETE /api/v1/consumer-groups/:group/queues/:queue',
  seekQueue: 'POST /api/v1/consumer-groups/:group/queues/:queue/seek',
  seekPartition: 'POST /api/v1/consumer-groups/:group/queues/:queue/partitions/:partition/seek',
  skipHead: 'POST /api/v1/consumer-groups/:group/queues/:queue/partitions/:partition/skip',
  pauseGroup: 'POST /api/v1/consumer-groups/:group/queues/:queue/pause',
  resumeGroup: 'POST /api/v1/consumer-groups/:group/queues/:queue/resume',

  listMessages: 'GET /api/v1/messages',
  showMessage: 'GET /api/v1/messages/:partitionId/:transactionId',
  deleteMessage: 'DELETE /api/v1/messages/:partitionId/:transactionId',
  retryMessage: 'POST /api/v1/messages/:partitionId/:transactionId/retry',
  buryMessage: 'POST /api/v1/messages/:partitionId/:transactionId/dlq',

  listDeadLetters: 'GET /api/v1/dlq',
  listErrors: 'GET /api/v1/dlq/errors',
  purgeDeadLetters: 'DELETE /api/v1/dlq',
  redrive: 'POST /api/v1/dlq/redrive',
  listRedrives: 'GET /api/v1/dlq/redrives',
  cancelRedrive: 'DELETE /api/v1/dlq/redrives/:id',

  listQueries: 'GET /streams/v1/queries',
  showQuery: 'GET /streams/v1/queries/:name',
  listState: 'GET /streams/v1/queries/:name/partitions/:partition/state',
  resetQuery: 'POST /streams/v1/queries/:name/reset',
  deleteQuery: 'DELETE /streams/v1/queries/:name',

  messageTraces: 'GET /api/v1/traces/:partitionId/:transactionId',
  traceNames: 'GET /api/v1/traces/names',
  tracesByName: 'GET /api/v1/traces/by-name/:name',

  maintenance: 'GET /api/v1/system/maintenance',
  setPushMaintenance: 'POST /api/v1/system/maintenance',
  setPopMaintenance: 'POST /api/v1/system/maintenance/pop',
  sharedState: 'GET /api/v1/system/shared-state',
  audit: 'GET /api/v1/system/audit',
};

/** An error response of the server. Status 0: no response. */
export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * Calls an operation. Values of `given` replace the names in its path; the others become the query.
 * @param options {body, signal}
 */
export async function call(operation, given = {}, { body, signal } = {}) {
  const token = await session.bearer();
  let response = await request(operation, given, { body, signal }, token);
  if (response.status === 401 && (await session.replace(token))) {
    response = await request(operation, given, { body, signal }, session.token);
  }
  const answer = parse(await response.text());
  if (response.status === 401) session.refused(answer?.error);
  if (!response.ok && !isHealth(operation, answer)) {
    throw new ApiError(response.status, answer?.error ?? `response status ${response.status}`);
  }
  return answer;
}

/** Calls an optional operation: returns `otherwise` if it is rejected or fails. */
export async function callOr(otherwise, operation, given, options) {
  if (!session.may(operation)) return otherwise;
  try {
    return await call(operation, given, options);
  } catch (error) {
    if (error.name === 'AbortError' || error.status === 401) throw error;
    return otherwise;
  }
}

function request(operation, given, { body, signal }, token) {
  const [method, template] = OPERATIONS[operation].split(' ');
  const { path, query } = fill(template, given);
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  return send(path + query, {
    method,
    headers,
    signal,
    cache: 'no-store',
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

async function send(url, request) {
  try {
    return await fetch(url, request);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, 'The server does not respond. The page retries every few seconds.');
  }
}

function fill(template, given) {
  const rest = { ...given };
  const path = template.replace(/:([A-Za-z]+)/g, (_, name) => {
    const value = rest[name];
    delete rest[name];
    if (value === '.' || value === '..') {
      throw new ApiError(0, `A browser cannot address the name "${value}". Use the command line instead.`);
    }
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, value);
  }
  return { path, query: query.size ? `?${query}` : '' };
}

// Integers beyond the range of a double are kept exact, because payloads contain them.
function parse(text) {
  if (!text) return null;
  try {
    return JSON.parse(text, (_, value, context) =>
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source)
        ? BigInt(context.source)
        : value,
    );
  } catch {
    return { error: text.slice(0, 300) };
  }
}

/** An unhealthy server responds with 503 and the same document. */
function isHealth(operation, answer) {
  return operation === 'health' && answer?.status !== undefined;
}
