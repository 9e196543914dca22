import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../i18n';
import { classNames } from '../../ui/class-names';
import type { ListedAgent } from '../agents/agent-reason';
import { type Branch, CARD_HEIGHT, CARD_WIDTH, type Card, layOut } from './layout';
import { MoveDialog, useDrag } from './move-agent';
import { OrgCard } from './org-card';

interface OrgChartProps {
  top: readonly Branch<ListedAgent>[];
  /** Scale of the chart; undefined: the whole chart fits into the window. */
  zoom: number | undefined;
  wanted: string;
  onZoom: (zoom: number) => void;
}

export function OrgChart({ top, zoom: chosen, wanted, onZoom }: OrgChartProps) {
  const scroller = useRef<HTMLElement>(null);
  const [room, setRoom] = useState(0);
  const chart = useMemo(() => layOut(top), [top]);
  const fitting = Math.min(1, (room - 2 * EDGE) / chart.width);
  const zoom = chosen ?? Math.max(SMALLEST, Math.floor(fitting * 100) / 100);
  const found = useMemo(() => foundIn(chart.cards, wanted), [chart, wanted]);
  useEffect(() => {
    const element = scroller.current as HTMLElement;
    const observer = new ResizeObserver(() => setRoom(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (found) show(scroller.current, found, zoom);
  }, [found, zoom]);
  const pan = usePan();
  const drag = useDrag(chart.cards.map(({ agent }) => agent));
  useEffect(() => {
    const element = scroller.current;
    // Adds the listener directly, because React's wheel listener is passive and cannot prevent the
    // browser's zoom.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      onZoom(zoom - Math.sign(event.deltaY) * 0.1);
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [zoom, onZoom]);
  return (
    <section
      ref={scroller}
      aria-label={t('nav.org')}
      {...pan}
      {...drag.targetOf(null)}
      onKeyDown={(event) => moveFocus(event, chart.cards)}
      className="h-[calc(100dvh-49px)] cursor-grab overflow-auto active:cursor-grabbing"
    >
      <div
        className="mx-auto"
        style={{ width: chart.width * zoom + 2 * EDGE, height: chart.height * zoom + 2 * EDGE }}
      >
        <div
          className="relative origin-top-left"
          style={{
            width: chart.width,
            height: chart.height,
            transform: `translate(${EDGE}px, ${EDGE}px) scale(${zoom})`,
          }}
        >
          <svg
            aria-hidden
            width={chart.width}
            height={chart.height}
            className="absolute inset-0 overflow-visible text-line-strong"
          >
            {chart.lines.map(({ id, path }) => (
              <path key={id} d={path} fill="none" stroke="currentColor" strokeWidth="1.25" />
            ))}
          </svg>
          {chart.cards.map(({ agent, x, y }) => (
            <div
              key={agent.id}
              {...drag.targetOf(agent)}
              className="absolute"
              style={{ left: x, top: y, width: CARD_WIDTH, height: CARD_HEIGHT }}
            >
              <OrgCard
                agent={agent}
                {...drag.cardOf(agent)}
                className={classNames(
                  'h-full rounded-lg border bg-surface px-3',
                  agent.id === found?.agent.id ? 'border-accent ring-2 ring-accent' : 'border-line',
                )}
              />
            </div>
          ))}
        </div>
      </div>
      {drag.move && <MoveDialog move={drag.move} onClose={drag.close} />}
    </section>
  );
}

const EDGE = 24;
const SMALLEST = 0.3;

function foundIn(cards: readonly Card<ListedAgent>[], wanted: string) {
  const words = wanted.trim().toLocaleLowerCase();
  if (words === '') return undefined;
  const named = (card: Card<ListedAgent>) => card.agent.name.toLocaleLowerCase();
  return (
    cards.find((card) => named(card) === words) ?? cards.find((card) => named(card).includes(words))
  );
}

function show(scroller: HTMLElement | null, { x, y }: Card<ListedAgent>, zoom: number): void {
  if (!scroller) return;
  scroller.scrollTo(
    (x + CARD_WIDTH / 2) * zoom + EDGE - scroller.clientWidth / 2,
    (y + CARD_HEIGHT / 2) * zoom + EDGE - scroller.clientHeight / 2,
  );
}

function usePan() {
  const from = useRef<{ x: number; y: number; left: number; top: number }>(undefined);
  return {
    onPointerDown: ({
      target,
      currentTarget,
      button,
      clientX: x,
      clientY: y,
      pointerType,
    }: PointerEvent<HTMLElement>) => {
      if (button !== 0 || pointerType === 'touch' || (target as HTMLElement).closest('a')) return;
      from.current = { x, y, left: currentTarget.scrollLeft, top: currentTarget.scrollTop };
    },
    onPointerMove: ({ currentTarget, clientX, clientY, buttons }: PointerEvent<HTMLElement>) => {
      if (!from.current || buttons === 0) return;
      const { x, y, left, top } = from.current;
      currentTarget.scrollTo(left - (clientX - x), top - (clientY - y));
    },
    onPointerUp: () => {
      from.current = undefined;
    },
  };
}

const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
} as const;

function moveFocus(event: KeyboardEvent<HTMLElement>, cards: readonly Card<ListedAgent>[]): void {
  const direction = ARROWS[event.key as keyof typeof ARROWS];
  const id = (event.target as HTMLElement).dataset.agent;
  const at = cards.find(({ agent }) => agent.id === id);
  if (!direction || !at) return;
  const [right, down] = direction;
  const distances = cards.flatMap((card) => {
    const along = (card.x - at.x) * right + (card.y - at.y) * down;
    const across = Math.abs((card.x - at.x) * down) + Math.abs((card.y - at.y) * right);
    return along > 0 ? [{ card, distance: along + 2 * across }] : [];
  });
  const nearest = distances.sort((one, other) => one.distance - other.distance)[0]?.card;
  if (!nearest) return;
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>(`[data-agent="${nearest.agent.id}"]`)?.focus();
}
