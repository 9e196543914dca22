import type { IncomingHttpHeaders } from 'node:http';

/** The answer of a scripted provider to one request for a turn: a text, a command, or a call of a tool at `/mcp`. */
export type Step =
  | {
      say?: string;
      shell?: string;
      use?: { tool: string; input: object };
      tokens: StepTokens;
    }
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
  /** Null for a tool that has no shell, and for requests that are not for a turn, such as one for a title. */
  shellCall(body: Record<string, unknown>, command: string): ToolCall | null;
  /** The call of a tool at `/mcp`; null where the tool does not offer it. */
  serverCall(body: Record<string, unknown>, tool: string, input: object): ToolCall | null;
  write(answer: Answer): string;
}

export interface ToolCall {
  name: string;
  namespace?: string;
  input: object;
}

interface Answer {
  id: number;
  model: string;
  say: string | undefined;
  call: ToolCall | null;
  tokens: StepTokens;
}

export const event = (value: { type: string }) =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
