/** What the site answers at a path. */
export interface SitePage {
  status?: number;
  type?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** @param content of main @param links of the navigation, which all pages have */
export function html(title: string, content: string, head = ''): string {
  const links = ['/', '/about', '/team/', '/blog/first-steps', '/calendar?month=1', '/loop/a'];
  const navigation = links.map((link) => `<a href="${link}">${link}</a>`).join(' ');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="description" content="${title} of the clinic">${head}</head>
<body><nav>${navigation}</nav><main><h1>${title}</h1>${content}</main>
<footer>Clinic, Old Town 1</footer><script>document.title = 'script';</script></body></html>`;
}

/** A small clinic, and what crawlers lose their way in. */
export function clinicPages(): Record<string, SitePage> {
  const page = (title: string, content: string, head?: string): SitePage => ({
    body: html(title, content, head),
  });
  return {
    '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /private\nSitemap: /sitemap.xml\n' },
    '/': page(
      'Welcome',
      '<p>Care <b>close</b> to home. <a href="/hours.html?utm_source=home">Hours</a></p><a href="/private/a">Staff</a>',
    ),
    '/about': page(
      'About us',
      '<p>Since 1921. <a href="/print/about">Print</a> <a href="/old">Old</a> <a href="/gone">Gone</a></p>',
    ),
    '/hours.html': page(
      'Opening hours',
      '<table><tr><th>Day</th><th>Open</th></tr><tr><td>Monday</td><td>9–5</td></tr></table>',
    ),
    '/team/': page(
      'Team',
      '<ul><li>Dr. Grey</li><li>Dr. House</li></ul><a href="dr-grey">Dr. Grey</a> <a href="/brochure">PDF</a>',
    ),
    '/team/dr-grey': page(
      'Dr. Grey',
      '<p>Surgeon. <a href="/away">Elsewhere</a> <a href="/spin">Spin</a> <a href="/large">Large</a></p>',
    ),
    '/blog/first-steps': page(
      'First steps',
      '<aside>Advertisement</aside><p>Call us.</p><a href="/filter?color=red&amp;size=1">Red</a>',
    ),
    '/news': page('News', '<p>Only the sitemap leads here.</p>'),
    '/private/a': page('Staff only', '<p>Not for crawlers.</p>'),
    '/print/about': page('About us, in print', '<p>The same.</p>', '<link rel="canonical" href="/about">'),
    '/old': { status: 301, headers: { location: '/about' } },
    // An address in a private network, which a page of the public internet must not lead to.
    '/away': { status: 302, headers: { location: 'http://10.0.0.1/admin' } },
    '/spin': { status: 302, headers: { location: '/spin?again=1' } },
    '/brochure': { type: 'application/pdf', body: '%PDF-1.7' },
    '/large': { body: html('Large', `<p>${'word '.repeat(600_000)}</p>`) },
    '/loop/a': page('Loop A', '<p>First <a href="/loop/b">b</a> <a href="./a/./../a">a</a></p>'),
    '/loop/b': page('Loop B', '<p>Second <a href="/loop/a#part">a</a> <a href="deeper/b/">deeper</a></p>'),
  };
}

/** Pages without end: a calendar whose months are all the same, filters in any order, and a path that grows. */
export function trapPage(path: string, query: URLSearchParams): SitePage | undefined {
  if (path === '/calendar') {
    const month = Number(query.get('month') ?? 1);
    return { body: html('Calendar', `<p>No events.</p><a href="/calendar?month=${month + 1}">Next</a>`) };
  }
  if (path === '/filter') {
    const links = ['red', 'green', 'blue'].flatMap((color) =>
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(
        (size) => `<a href="/filter?size=${size}&amp;color=${color}">${color}</a>`,
      ),
    );
    return { body: html(`Filter ${query}`, `<p>${query}</p>${links.join(' ')}`) };
  }
  if (path === '/spin')
    return { status: 302, headers: { location: `/spin?again=${Number(query.get('again')) + 1}` } };
  if (path.startsWith('/loop/deeper/')) {
    return { body: html(`Level of ${path.length}`, `<p>${path}</p><a href="deeper/b/">deeper</a>`) };
  }
  return undefined;
}
