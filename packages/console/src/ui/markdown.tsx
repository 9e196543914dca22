/** Stands in until the formatting is built. */
export const Markdown = ({ text }: { text: string }) => (
  <p className="whitespace-pre-wrap">{text}</p>
);
