import type { AdapterOutcome, AdapterRun, AgentSession } from '../../agent-adapter';
import type { ChildEnvironment } from '../../environment/child-environment';
import { createLineSplitter } from '../../output/split-lines';
import { runChild } from '../../processes/run-child';
import { type Confine, confined } from '../../processes/spawn-child';
import type { CodingAgentConfig } from '../coding-agent-config';
import type { CodingTool } from '../coding-tool';
import { classifyFailure } from '../failures/classify-failure';
import { failureOutcome } from '../failures/failure-outcome';
import { createUsageMeter } from '../streams/usage-meter';
import type { ModelUse, ToolEvent, ToolFailure } from '../tool-event';

/**
 * Allows long lines, because a result repeats the inputs of refused tool calls, which may be whole
 * files. Parsing a line of this size takes about 0.1 s.
 */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** In ms. A tool may run builds and tests without output for this long. */
const SILENCE_MS = 1_800_000;
const MAX_LAST_WORDS = 4_000;
/** In ms. A tool that waits longer for its provider is ended; the server then retries the run. */
const PATIENCE_MS = 120_000;
/** In ms. After its result, a tool may take this long for hooks and for closing connections. */
const RESULT_GRACE_MS = 15_000;

export const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,199}$/;

export interface ToolRun {
  run: AdapterRun<CodingAgentConfig>;
  tool: CodingTool;
  session: AgentSession | null;
  prompt: string;
  command: string;
  environment: ChildEnvironment;
  isSandboxed?: boolean;
  confine: Confine;
  timeoutMs: number;
  dollars(use: ModelUse): number | null;
  now(): Date;
  patienceMs?: number;
  resultGraceMs?: number;
}

export interface ToolEnd {
  outcome: AdapterOutcome;
  sessionUnknown: boolean;
}

interface ToolResult {
  failure: ToolFailure | null;
  finished: boolean;
  lastWords: string;
}

function decideOutcome(
  { tool, command, now }: ToolRun,
  ended: AdapterOutcome,
  { failure, finished, lastWords }: ToolResult,
): ToolEnd {
  const exitCode = 'exitCode' in ended ? ended.exitCode : null;
  const byProcess: ToolEnd = { outcome: ended, sessionUnknown: false };
  const isEnded =
    ended.status !== 'failed' || ['adapter_exit', 'adapter_signal'].includes(ended.errorCode);
  if (finished && isEnded) {
    return { outcome: { status: 'succeeded', exitCode }, sessionUnknown: false };
  }
  if (ended.status === 'aborted' && failure) return decide(failure, exitCode, now());
  if (ended.status === 'succeeded') {
    const none: ToolFailure = {
      kind: 'no_result',
      message: `${tool.name} exited without a result`,
    };
    return decide(failure ?? none, exitCode, now());
  }
  if (ended.status !== 'failed') return byProcess;
  if (ended.errorCode === 'command_not_found') {
    const error = `${tool.name} is not installed for the runner: ${command} can't be executed (set ${tool.variable})`;
    return { outcome: { ...ended, error }, sessionUnknown: false };
  }
  if (ended.errorCode !== 'adapter_exit') return byProcess;
  if (failure) return decide(failure, exitCode, now());
  if (lastWords.trim() === '') return byProcess;
  const guessed = classifyFailure({ text: lastWords, now: now() });
  const message = `${ended.error}: ${guessed.message}`;
  return decide({ ...guessed, message }, exitCode, now());
}

function oddEnd(ended: AdapterOutcome): string | null {
  if (ended.status === 'succeeded' || ended.status === 'accepted') return null;
  return ended.status === 'aborted' ? 'the tool did not exit and was ended' : ended.error;
}

function decide(failure: ToolFailure, exitCode: number | null, now: Date): ToolEnd {
  const outcome = failureOutcome(failure, exitCode, now);
  return { outcome, sessionUnknown: failure.kind === 'session_unknown' };
}

/** Catches every error: output may contain anything, even nesting that overflows the stack. */
function readSafely(read: (line: string) => ToolEvent[], line: string): ToolEvent[] {
  try {
    return read(line);
  } catch {
    return [];
  }
}

export async function runTool(request: ToolRun): Promise<ToolEnd> {
  const { run, tool, session, prompt, command, environment, timeoutMs, dollars, now } = request;
  const { config } = run;
  const toolResult: ToolResult = { failure: null, finished: false, lastWords: '' };
  const log = (text: string) => run.onOutput(Buffer.from(`${text}\n`));
  const meter = createUsageMeter({
    provider: tool.provider,
    dollars,
    report: (usage) => {
      const { model, inputTokens, outputTokens, costCents } = usage;
      const cost = costCents === null ? 'no price known' : `${costCents} cents`;
      log(`[usage] ${model}: ${inputTokens} tokens in, ${outputTokens} out, ${cost}`);
      run.onUsage(usage);
    },
  });
  const reader = tool.createReader({ model: config.model ?? null, session, now });

  const abandoned = new AbortController();
  let waitedFor: ToolFailure | null = null;
  let patience: NodeJS.Timeout | undefined;
  const wait = (failure: ToolFailure): void => {
    waitedFor = failure;
    patience ??= setTimeout(() => abandoned.abort(), request.patienceMs ?? PATIENCE_MS);
  };
  const stopWaiting = (): void => {
    clearTimeout(patience);
    patience = undefined;
  };
  const overdue = new AbortController();
  let grace: NodeJS.Timeout | undefined;
  const awaitExit = (): void => {
    clearTimeout(grace);
    grace = setTimeout(() => overdue.abort(), request.resultGraceMs ?? RESULT_GRACE_MS);
  };

  const handle = (event: ToolEvent, isStderr: boolean): void => {
    switch (event.kind) {
      case 'log':
        log(event.text);
        break;
      case 'session':
        if (SESSION_ID.test(event.id)) run.onSession(event.id);
        break;
      case 'used':
        meter.add(event.use);
        break;
      case 'total':
        meter.total(event.uses, event.counted);
        break;
      case 'waiting':
        wait(event.failure);
        break;
      case 'refused':
        log(`[failed] ${event.failure.message.replaceAll('\n', '\n[failed] ')}`);
        waitedFor = event.failure;
        abandoned.abort();
        break;
      case 'failed':
        log(`[failed] ${event.failure.message.replaceAll('\n', '\n[failed] ')}`);
        if (toolResult.finished && isStderr) break;
        toolResult.failure = event.failure;
        toolResult.finished = false;
        awaitExit();
        break;
      case 'finished':
        toolResult.failure = null;
        toolResult.finished = true;
        if (event.mayContinue) clearTimeout(grace);
        else awaitExit();
        break;
      case 'working':
        clearTimeout(grace);
        break;
    }
  };
  const lines = (isStderr: boolean, read: (line: string) => ToolEvent[]) =>
    createLineSplitter(
      (line) => {
        const events = readSafely(read, line.toString('utf8').trimEnd());
        for (const event of events) handle(event, isStderr);
      },
      MAX_LINE_BYTES,
      (bytes) => log(`[run] a line of ${bytes} bytes was not read`),
    );
  const out = lines(false, (line) => {
    stopWaiting();
    return reader.out(line);
  });
  const err = lines(true, (line) => {
    toolResult.lastWords = `${toolResult.lastWords}\n${line}`.slice(-MAX_LAST_WORDS);
    return reader.err(line);
  });

  const ended = await runChild(
    {
      runId: run.runId,
      signal: AbortSignal.any([run.signal, abandoned.signal, overdue.signal]),
      onStarted: (identity) => run.onStarted(identity),
      backlog: run.backlog,
      onStdout: (chunk) => out.write(chunk),
      onStderr: (chunk) => err.write(chunk),
    },
    confined(request.confine, {
      command,
      args: tool.buildArguments({
        model: config.model,
        sessionId: session?.id ?? null,
        extraArgs: config.extraArgs,
        sandbox: config.sandbox,
        isSandboxed: request.isSandboxed ?? false,
        provided: run.ownVariables ?? {},
        mcpUrl: `${run.environment.SERVICE_API_URL}/mcp`,
        runId: run.runId,
      }),
      cwd: run.workingDirectory,
      environment,
      input: prompt,
    }),
    { timeoutMs, graceMs: config.graceSec * 1_000, silenceMs: SILENCE_MS },
  ).finally(() => {
    stopWaiting();
    out.end();
    err.end();
    clearTimeout(grace);
  });
  meter.end();
  if (ended.status === 'aborted') {
    if (run.signal.aborted) return { outcome: ended, sessionUnknown: false };
    if (abandoned.signal.aborted && waitedFor) return decide(waitedFor, ended.exitCode, now());
  }
  const end = decideOutcome(request, ended, toolResult);
  const odd = oddEnd(ended);
  if (end.outcome.status === 'succeeded' && odd) log(`[run] after the result: ${odd}`);
  return end;
}
