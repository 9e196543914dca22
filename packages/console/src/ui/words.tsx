import { lazy, Suspense } from 'react';

const Markdown = lazy(() => import('./markdown').then(({ Markdown }) => ({ default: Markdown })));

/** Somebody's text; until its formatting is loaded it is shown as it was written. */
export const Words = ({ text }: { text: string }) => (
  <div className="mb-3 last:mb-0">
    <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
      <Markdown text={text} />
    </Suspense>
  </div>
);
