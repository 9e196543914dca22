import type { z } from 'zod';
import type { AgentSession } from '../agent-adapter';
import type { CodexSandbox, CodingAgentConfig } from './coding-agent-config';
import type { ToolEvent } from './tool-event';

/** Reads the output of one process of a tool, line by line; never throws. */
export interface ToolReader {
  out(line: string): ToolEvent[];
  err(line: string): ToolEvent[];
}

export interface ReadingContext {
  /** As configured; null when the tool chooses. */
  model: string | null;
  /** The conversation that is gone on with. */
  session: AgentSession | null;
  now(): Date;
}

export interface ToolRequest {
  model: string | undefined;
  sessionId: string | null;
  extraArgs: string[];
  /** Of the tool's own, as configured. */
  sandbox: CodexSandbox | undefined;
  /** Whether ours is around the tool, in which its own can neither begin nor is of use. */
  isSandboxed: boolean;
  /** By what the run's gateway offers providers, whose keys the tool never has: `OPENAI_BASE_URL` and the like. */
  provided: Provided;
  /** Address of the tools of our API, `…/mcp`; null in a check, which has no run. */
  mcpUrl: string | null;
  runId: string;
}

export type Provided = Readonly<Record<string, string | undefined>>;

/** The programs, as the operator names them. */
export interface ToolCommands {
  claudeCode: { command: string };
  codex: { command: string };
  openCode: { command: string };
}

/** What one coding agent's command line asks for; everything else is the same for all. */
export interface CodingTool {
  adapterType: 'model_a_local' | 'model_b_local' | 'model_c_local';
  name: string;
  /** The variable that names its executable. */
  variable: 'CLAUDE_CODE_COMMAND' | 'CODEX_COMMAND' | 'OPENCODE_COMMAND';
  command(settings: ToolCommands): string;
  configSchema: z.ZodType<CodingAgentConfig>;
  /** The variables that sign it in, and the usual one of them. */
  keys: { names: RegExp; usual: string };
  /** The prompt arrives by its input. */
  buildArguments(request: ToolRequest): string[];
  /** Set where the agent's own configuration does not. */
  environment(provided: Provided): Readonly<Record<string, string>>;
  /** Variables of the agent's own configuration that become part of ours. */
  merge?(variables: Provided): Readonly<Record<string, string>>;
  provider(model: string): string;
  createReader(context: ReadingContext): ToolReader;
}
