import type { z } from 'zod';
import type { AgentSession } from '../agent-adapter';
import type { CodexSandbox, CodingAgentConfig } from './coding-agent-config';
import type { ToolEvent } from './tool-event';

export interface ToolReader {
  out(line: string): ToolEvent[];
  err(line: string): ToolEvent[];
}

export interface ReadingContext {
  model: string | null;
  session: AgentSession | null;
  now(): Date;
}

export interface ToolRequest {
  model: string | undefined;
  sessionId: string | null;
  extraArgs: string[];
  sandbox: CodexSandbox | undefined;
  /** True inside the runner's sandbox, in which the tool's own sandbox cannot start. */
  isSandboxed: boolean;
  provided: Provided;
  /** URL of the server's MCP tools; null in a check, because a check has no run. */
  mcpUrl: string | null;
  runId: string;
}

export type Provided = Readonly<Record<string, string | undefined>>;

export interface ToolCommands {
  claudeCode: { command: string };
  codex: { command: string };
  openCode: { command: string };
}

export interface CodingTool {
  adapterType: 'model_a_local' | 'model_b_local' | 'model_c_local';
  name: string;
  variable: 'CLAUDE_CODE_COMMAND' | 'CODEX_COMMAND' | 'OPENCODE_COMMAND';
  command(settings: ToolCommands): string;
  configSchema: z.ZodType<CodingAgentConfig>;
  keys: { names: RegExp; usual: string };
  buildArguments(request: ToolRequest): string[];
  environment(provided: Provided): Readonly<Record<string, string>>;
  merge?(variables: Provided): Readonly<Record<string, string>>;
  provider(model: string): string;
  createReader(context: ReadingContext): ToolReader;
}
