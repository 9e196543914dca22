import type { IncomingHttpHeaders } from 'node:http';

/**
 * Response of a scripted provider to one request for a turn: a text, a command, or a call of a tool
 * at `/mcp`.
 */
export type Step =
  | {
      say?: string;
      shell?: string;
      use?: { tool: string; input: object };
      tokens: StepTokens;
    }
  | { status: number; error: object; headers?: Record<string, string> };

export type ScriptedStep = Step | ((request: ProviderRequest) => Step);

interface StepTokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export interface ProviderRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface ProviderFormat {
  paths: RegExp;
  /** Null for a tool without a shell, and for requests that are not turns, e.g. for a title. */
  shellCall(body: Record<string, unknown>, command: string): ToolCall | null;
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
