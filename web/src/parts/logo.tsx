// Logo in the header. It is not a file, because a file would be another response before the first
// graph, with 600 bytes of headers.

/** Draws an icicle graph with four bars, like public/icon.svg. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true">
      <rect width="32" height="32" rx="6" fill="#1D5BC6" />
      <path d="M5 7h22v5H5z" fill="#fff" />
      <path d="M5 14h13v5H5zM20 14h7v5h-7zM5 21h7v5H5z" fill="#cfe" />
    </svg>
  );
}
