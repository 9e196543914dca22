import type { ReactNode } from 'react';
import { useIsNarrow } from './browser/use-is-narrow';
import { classNames } from './class-names';
import { Page, type PageProps } from './page';
import { Rows, type RowsProps } from './rows';
import { type Loaded, Loading, Skeleton } from './states';

interface Listed extends Omit<Loaded<unknown>, 'data'> {
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?: () => unknown;
}

export type Heads = readonly (readonly [label: string, className: string])[];

interface ListScreenProps<Row>
  extends Omit<PageProps, 'children' | 'width'>,
    Pick<RowsProps<Row>, 'onOpen' | 'onMark' | 'render'> {
  of: Listed;
  rows: readonly Row[] | undefined;
  shown?: readonly Row[];
  heights: readonly [wide: number, narrow: number];
  heads: Heads;
  empty: ReactNode;
  noMatch?: ReactNode;
  children?: ReactNode;
}

export function ListScreen<Row extends { id: string }>({
  of,
  rows,
  shown = rows,
  heights: [wide, narrow],
  heads,
  empty,
  noMatch = empty,
  onOpen,
  onMark,
  render,
  children,
  ...page
}: ListScreenProps<Row>) {
  const height = useIsNarrow() ? narrow : wide;
  const readOn = () => {
    if (of.hasNextPage && !of.isFetchingNextPage) void of.fetchNextPage?.();
  };
  return (
    <Page {...page}>
      <Loading of={{ ...of, data: rows }} skeleton={<Skeleton height={height} />}>
        {(all) =>
          shown?.length ? (
            <>
              <Head heads={heads} />
              <Rows
                label={page.title}
                rows={shown}
                idOf={idOf}
                height={height}
                onEnd={readOn}
                onOpen={onOpen}
                onMark={onMark}
                render={render}
              />
            </>
          ) : all.length === 0 ? (
            empty
          ) : (
            noMatch
          )
        }
      </Loading>
      {children}
    </Page>
  );
}

const idOf = ({ id }: { id: string }) => id;

export const Head = ({ heads, gap = 'gap-3' }: { heads: Heads; gap?: string }) => (
  <div
    aria-hidden
    className={classNames(
      'sticky top-0 z-10 flex h-7 items-center border-b border-line bg-page px-4 text-xs text-muted max-md:hidden',
      gap,
    )}
  >
    {heads.map(([label, className]) => (
      <span key={`${label} ${className}`} className={classNames('truncate', className)}>
        {label}
      </span>
    ))}
  </div>
);
