import type { IncomingHttpHeaders } from 'node:http';

/** What a scripted provider answers to one request of a tool that may use its shell. */
export type Step =
  | { say?: string; shell?: string; tokens: StepTokens }
  | { status: number; error: object; headers?: Record<string, string> };

/** One that is decided by what the tool sent. */
export type ScriptedStep = Step | ((request: ProviderRequest) => Step);

interface StepTokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** One request as it arrived, for a look at what the tool sent. */
export interface ProviderRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** What one wire format is: which requests ask for a turn, and how an answer is written. */
export interface ProviderFormat {
  paths: RegExp;
  /** Null for requests beside the work, as for a title. */
  shellTool(body: Record<string, unknown>): string | null;
  write(answer: Answer): string;
}

interface Answer {
  id: number;
  model: string;
  say: string | undefined;
  call: { tool: string; command: string } | null;
  tokens: StepTokens;
}

export const event = (value: { type: string }) =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
