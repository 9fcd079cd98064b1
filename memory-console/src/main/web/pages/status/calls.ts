// Calls of the daemon for the state of its work, and what they return. Fields with their default value
// are absent.

import {change, get, type CallOptions} from '../../lib/api.ts';
import {toNumber} from '../../lib/format.ts';

export interface Stats {
  events?: string;
  outboxHead?: string;
  consumers?: {name: string; cursor?: string}[];
  dirtyNodes?: string;
  deadLetters?: string;
  diskBytes?: string;
  version?: string;
  startedAtMs?: string;
  tocComplete?: boolean;
  problems?: string[];
  summarizer?: {name?: string; tokensToday?: string; dailyTokenBudget?: string; nodesWait?: boolean; waitsFor?: string};
  refusedEvents?: Record<string, string>;
  lastRefusal?: string;
  gateway?: {memoryBytes?: string; memoryCeilingBytes?: string};
  waitsFor?: string;
}

export interface AgentCapture {
  agent: string;
  state?: string;
  lastEventMs?: string;
  lastEvent?: string;
  lastUnansweredMs?: string;
  found?: string;
  good?: boolean;
  remedy?: string;
}

export interface Capture {
  recorded?: boolean;
  sentence?: string;
  agents?: AgentCapture[];
  spool?: {waiting?: string; oldestMs?: string; rejected?: string; good?: boolean; remedy?: string};
}

export interface IndexStatus {
  events?: string;
  summaries?: string;
  embedded?: string;
  toEmbed?: string;
  model?: string;
  diskBytes?: string;
  behind?: string;
  rebuilt?: number;
  complete?: boolean;
  waitsFor?: string;
}

export interface Job {
  jobName: string;
  cronExpr?: string;
  lastRunMs?: string;
  lastDurationMs?: string;
  lastResult?: string;
  lastError?: string;
  nextRunMs?: string;
  runCount?: string;
  errorCount?: string;
  isRunning?: boolean;
  isPaused?: boolean;
  pausedItself?: boolean;
  lastRunMetadata?: Record<string, string>;
}

export interface Usage {
  events?: string;
  sessions?: string;
  segments?: string;
  nodes?: string;
  nodeVersions?: string;
  grips?: string;
  records?: string;
  diskBytes?: string;
  tables?: {table: string; diskBytes?: string}[];
  damaged?: object[];
}

export interface ModelSums {
  calls?: string;
  failedCalls?: string;
  inputTokens?: string;
  outputTokens?: string;
}

export interface ModelUsage {
  days?: number;
  rows?: {day: string; model: string; sums?: ModelSums}[];
  total?: ModelSums;
}

export interface Finding {
  table?: string;
  key?: string;
  problem?: string;
}

export interface Workspace {
  name: string;
  problem?: string;
}

/** Of the model's cost, this many days are shown. */
const DAYS = 30;
const MOST_FINDINGS = 200;

export const getStats = (options: CallOptions) => get<Stats>('/stats', {}, options);

export const getCapture = (options: CallOptions) => get<Capture>('/capture', {}, options);

export const searchStatus = (options: CallOptions) => get<IndexStatus>('/search/status', {}, options);

export async function listJobs(options: CallOptions): Promise<Job[]> {
  return (await get<{jobs?: Job[]}>('/jobs', {}, options)).jobs ?? [];
}

export const getUsage = (options: CallOptions) => get<Usage>('/usage', {}, options);

export const getModelUsage = (options: CallOptions) => get<ModelUsage>('/model-usage', {days: DAYS}, options);

/** Checks the store now. */
export async function verifyStore(options: CallOptions): Promise<Finding[]> {
  return (await change<{findings?: Finding[]}>('POST', '/verify', {limit: MOST_FINDINGS}, options)).findings ?? [];
}

/** A check of the store. */
export interface Check {
  timeMs: string;
  /** How many findings there are. */
  count: number;
  /** The first of them. */
  findings: Finding[];
}

const CHECK_JOB = 'integrity_check';

/** What the job that checks the store has found last; undefined if it has not run. */
export function lastCheck(jobs: Job[]): Check | undefined {
  const job = jobs.find(each => each.jobName === CHECK_JOB);
  if (!toNumber(job?.lastRunMs) || job?.lastResult !== 'JOB_RESULT_STATUS_SUCCESS') return undefined;
  const told = job.lastRunMetadata ?? {};
  const first = Object.keys(told).filter(name => /^finding_\d+$/.test(name)).sort();
  return {timeMs: job.lastRunMs!, count: toNumber(told['findings']), findings: first.map(name => ({problem: told[name]}))};
}

/** Workspaces that cannot be used. */
export async function brokenWorkspaces(): Promise<Workspace[]> {
  return (await get<{workspaces?: Workspace[]}>('/workspaces', {onlyProblems: true})).workspaces ?? [];
}

function jobPath(jobName: string): string {
  return '/jobs/' + encodeURIComponent(jobName);
}

export const runJob = (jobName: string, options: CallOptions) =>
  change<{metadata?: Record<string, string>}>('POST', jobPath(jobName) + '/run', {}, options);

/** Pauses or resumes a job. */
export async function pauseJob(jobName: string, paused: boolean, options: CallOptions): Promise<void> {
  const answer = await change<{success?: boolean; error?: string}>('POST', jobPath(jobName) + (paused ? '/pause' : '/resume'), {}, options);
  if (!answer.success) throw new Error(answer.error ?? jobName);
}
