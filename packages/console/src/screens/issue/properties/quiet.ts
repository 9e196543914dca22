export const QUIET =
  'inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-md px-2 text-left text-sm hover:bg-hover disabled:hover:bg-transparent max-md:min-h-9';
