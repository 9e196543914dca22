export const plainExcerpt = (text: string | null | undefined): string =>
  (text ?? '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+[.)])\s+/gm, '')
    .replace(/(\*\*|__|~~)(?=\S)([^\n]*?\S)\1/g, '$2')
    .replace(/(^|[^\p{L}\p{N}])([*_])(?=\S)([^*_\n]*?\S)\2(?![\p{L}\p{N}])/gu, '$1$3')
    .replace(/`+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
