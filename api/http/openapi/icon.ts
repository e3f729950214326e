/** The icon of the service's pages: two speech bubbles. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path fill="#1d5fa8" d="M5 4h16a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3h-9l-6 5v-5H5a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3z"/>
<path fill="#7fb2e6" d="M26 11h1a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3v5l-6-5h-6a3 3 0 0 1-3-3h10a4 4 0 0 0 4-4z"/>
</svg>
`;
