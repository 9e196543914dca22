import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useTitleCount } from './browser/title-count';
import { classNames } from './class-names';

export interface PageProps {
  title: string;
  aside?: ReactNode;
  actions?: ReactNode;
  toolbar?: ReactNode;
  width?: 'full' | 'measure' | 'fill';
  children: ReactNode;
}

export function Page({ title, aside, actions, toolbar, width = 'full', children }: PageProps) {
  const count = useTitleCount();
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${title} · Switchyard`;
  }, [title, count]);
  return (
    <main id="content" className="flex min-h-0 min-w-0 flex-1 flex-col" tabIndex={-1}>
      <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-1.5">
        <h1 className="min-w-0 truncate text-base font-semibold">{title}</h1>
        {aside && <span className="text-sm text-muted">{aside}</span>}
        <span className="flex-1" />
        {actions && <div className="flex flex-wrap items-center gap-1.5">{actions}</div>}
      </header>
      {toolbar && (
        <div className="flex flex-wrap items-center gap-1.5 border-b border-line bg-surface px-4 py-1.5">
          {toolbar}
        </div>
      )}
      <div className="min-h-0 flex-1 overflow-y-auto" data-scroller>
        <div
          className={classNames(
            width === 'measure' && 'mx-auto w-full max-w-3xl px-4 py-5',
            width === 'fill' && 'h-full',
          )}
        >
          {children}
        </div>
      </div>
    </main>
  );
}

export function Section({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="mb-7">
      <div className="mb-2 flex items-center justify-between gap-2">
        <h2 className="text-sm font-semibold">{title}</h2>
        {aside && <div className="text-sm text-muted">{aside}</div>}
      </div>
      {children}
    </section>
  );
}

export const Panel = ({ children, className }: { children: ReactNode; className?: string }) => (
  <div
    className={classNames('overflow-hidden rounded-lg border border-line bg-surface', className)}
  >
    {children}
  </div>
);

const scrollIntoView = (label: HTMLElement | null) =>
  label?.closest('a')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

export function Tabs({ tabs }: { tabs: { link: LinkProps; label: string; count?: number }[] }) {
  return (
    <nav className="-mx-1 flex max-w-full gap-1 overflow-x-auto px-1">
      {tabs.map(({ link, label, count }) => (
        <Link
          key={label}
          {...link}
          activeOptions={{ exact: true, includeSearch: true }}
          className="inline-flex min-h-7 shrink-0 items-center gap-1.5 rounded-md px-2.5 text-sm whitespace-nowrap text-muted hover:bg-hover data-[status=active]:bg-hover data-[status=active]:font-medium data-[status=active]:text-text max-md:min-h-9"
        >
          {({ isActive }) => (
            <>
              <span ref={isActive ? scrollIntoView : undefined}>{label}</span>
              {count !== undefined && <span className="text-xs text-faint">{count}</span>}
            </>
          )}
        </Link>
      ))}
    </nav>
  );
}

export const Figure = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0">
    <p className="text-sm text-muted">{label}</p>
    <p className="text-xl font-semibold">{children}</p>
  </div>
);

export function Facts({
  facts,
}: {
  facts: (readonly [label: string, value: ReactNode] | false | null | undefined)[];
}) {
  return (
    <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-x-4 gap-y-1.5 text-sm">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]} className="contents">
              <dt className="text-muted">{fact[0]}</dt>
              <dd className="min-w-0">{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
