import type { Token } from './markdown';

/** `[@Name](agent://<id>)`: how a program mentions an agent, whatever its name and who else has a similar one. */
export interface AgentLink {
  /** As it was written, in small letters; what it names is not known here. */
  agentId: string;
  /** What follows the @ in the link's text. */
  name: string;
  /** Written beyond the part of a comment that is read. */
  beyondLimit: boolean;
}

const ADDRESS = /^agent:\/\/([^/?#]{1,100})\/?$/i;
const LONGEST_NAME = 200;

/** Those of one paragraph, heading or table cell. A link whose text does not begin with an @ is only a link. */
export function agentLinks(tokens: readonly Token[]): AgentLink[] {
  const links: AgentLink[] = [];
  let open: { agentId: string; text: string } | null = null;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const agentId = ADDRESS.exec(String(token.attrGet('href') ?? ''))?.[1];
      open = agentId ? { agentId, text: '' } : null;
    } else if (token.type === 'link_close') {
      if (open?.text.startsWith('@')) links.push(linkOf(open.agentId, open.text.slice(1), false));
      open = null;
    } else if (open && token.type === 'text') {
      open.text += token.content;
    }
  }
  return links;
}

const AS_WRITTEN = /\[@([^[\]\n]{0,200})\]\(agent:\/\/([^/?#()\s]{1,100})\/?\)/gi;

/** Those of a text that is not read as Markdown. */
export const unreadAgentLinks = (text: string): AgentLink[] =>
  [...text.matchAll(AS_WRITTEN)].map(([, name, agentId]) =>
    linkOf(agentId as string, name as string, true),
  );

const linkOf = (agentId: string, name: string, beyondLimit: boolean): AgentLink => ({
  agentId: agentId.toLowerCase(),
  name: name.slice(0, LONGEST_NAME),
  beyondLimit,
});
