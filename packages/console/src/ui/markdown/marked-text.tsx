export function MarkedText({
  text,
  hits,
}: {
  text: string;
  hits: readonly (readonly [number, number])[];
}) {
  const parts: React.ReactNode[] = [];
  let end = 0;
  for (const [from, to] of hits) {
    if (from < end || to > text.length) continue;
    parts.push(text.slice(end, from));
    parts.push(
      <mark key={from} className="rounded-xs bg-warn-soft text-text">
        {text.slice(from, to)}
      </mark>,
    );
    end = to;
  }
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
}
