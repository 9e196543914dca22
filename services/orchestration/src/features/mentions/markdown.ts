import MarkdownIt from 'markdown-it';

/**
 * Recognises HTML and tables, so that they do not count as text. The nesting limit keeps the time
 * for nested quotes and lists linear.
 */
export const markdown = new MarkdownIt({ html: true, linkify: false, maxNesting: 20 });

markdown.linkify.set({ fuzzyLink: true, fuzzyEmail: true, urlAuth: true });

export type Token = ReturnType<typeof markdown.parse>[number];
