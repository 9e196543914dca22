import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

interface ChartProps {
  data: uPlot.AlignedData;
  options: (color: (token: string) => string) => Omit<uPlot.Options, 'width' | 'height'>;
  height: number;
  label: string;
}

/** Redraws uPlot when the theme changes, because style sheets do not apply to a canvas. */
export function Chart({ data, options, height, label }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      const probe = element.appendChild(document.createElement('span'));
      const color = (token: string) => {
        probe.style.color = `var(--${token})`;
        return getComputedStyle(probe).color;
      };
      const made = options(color);
      probe.remove();
      plot = new uPlot({ ...made, width: element.clientWidth, height }, data, element);
    };
    draw();
    const onSize = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    onSize.observe(element);
    const onTheme = new MutationObserver(draw);
    onTheme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      scheme.removeEventListener('change', draw);
      onTheme.disconnect();
      onSize.disconnect();
      plot?.destroy();
    };
  }, [data, options, height]);
  return <div ref={place} role="img" aria-label={label} style={{ height }} />;
}
