import MarkdownIt from 'markdown-it';

/**
 * HTML and tables are recognised so that they are not taken for text. The nesting bound keeps quotes in
 * quotes and lists in lists linear; what lies deeper is not read.
 */
export const markdown = new MarkdownIt({ html: true, linkify: false, maxNesting: 20 });

markdown.linkify.set({ fuzzyLink: true, fuzzyEmail: true, urlAuth: true });

export type Token = ReturnType<typeof markdown.parse>[number];
