//! URLs and their queries, with what Node answers.

use super::builtins::expressions;
use super::{factory, module};

#[test]
fn urls_that_are_changed() {
    let changed =
        |from: &str, change: &str| format!("(() => {{ const u = new URL('{from}'); {change}; return u }})()");
    let table = [
        (
            changed("http://localhost:8080/", "u.pathname = '/v1'; u.searchParams.set('tenant', 'a b&')"),
            r#""http://localhost:8080/v1?tenant=a+b%26""#,
        ),
        (
            changed("https://me:pw@Host.com:443/a?x=1&x=2#h", "u.searchParams.set('x', '9'); u.hash = ''"),
            r#""https://me:pw@host.com/a?x=9""#,
        ),
        (
            changed(
                "http://h/p?q=1",
                "u.port = '81'; u.protocol = 'https'; u.hostname = 'OTHER'; u.search = ''",
            ),
            r#""https://other:81/p""#,
        ),
        (changed("http://h/p", "u.host = 'x:80'; u.pathname = 'a'"), r#""http://x/a""#),
        (changed("http://h/", "u.href = 'https://x/y'"), r#""https://x/y""#),
        (changed("http://h/", "u.origin; u.searchParams"), r#""http://h/""#),
    ];
    let table: Vec<(&str, &str)> = table.iter().map(|(source, expected)| (&**source, *expected)).collect();
    expressions(&table);
}

#[test]
fn parts_of_urls() {
    expressions(&[
        ("new URL('/v2?x', 'http://h:1/a/b').href", r#""http://h:1/v2?x""#),
        ("new URL('c', 'http://h:1/a/b').href", r#""http://h:1/a/c""#),
        ("[new URL('http://h/?').search, new URL('http://h/?').href]", r#"["","http://h/?"]"#),
        ("Object.keys(new URL('http://h/'))", "[]"),
        (
            "(u => [u.username, u.password, u.origin])(new URL('http://a:b@h:1/'))",
            r#"["a","b","http://h:1"]"#,
        ),
        ("(() => { try { new URL('nothing') } catch (e) { return e.code } })()", r#""ERR_INVALID_URL""#),
    ]);
}

#[test]
fn queries() {
    expressions(&[
        ("String(new URLSearchParams({ b: '2', a: '1 2' }))", r#""b=2&a=1+2""#),
        ("[...new URLSearchParams([['a', '1'], ['b', '2']])]", r#"[["a","1"],["b","2"]]"#),
        ("[...new URLSearchParams('?a=%20+&b').keys()]", r#"["a","b"]"#),
        ("[...new URLSearchParams('a=%20+&b').values()]", r#"["  ",""]"#),
        ("Object.fromEntries(new URLSearchParams(new Map([['k', 'v']])))", r#"{"k":"v"}"#),
        (
            "(p => { p.set('a', 'x'); p.append('c', ''); p.delete('b'); p.sort(); return [p.toString(), p.size] })(new URLSearchParams('c=1&b=2&a=3&a=4'))",
            r#"["a=x&c=1&c=",3]"#,
        ),
        (
            "(p => [p.get('a'), p.get('c'), p.has('b'), p.getAll('a')])(new URLSearchParams('a=1&a=2'))",
            r#"["1",null,false,["1","2"]]"#,
        ),
        (
            "(p => { const all = []; p.forEach((v, k) => all.push(k + v)); return all })(new URLSearchParams('a=1&b=2'))",
            r#"["a1","b2"]"#,
        ),
    ]);
}

#[test]
fn urls_that_are_not_understood_are_not_known() {
    factory(
        r#"
        pi.registerTool({ name: new URL("redis://Host:6379").href });
        new URL("data:text/plain,x");
        const url = new URL("http://h/");
        if (unknown.on) url.pathname = "/on";
        pi.registerCommand(url.href, {});
        url.searchParams.set("q", unknown.q);
        pi.registerFlag(url.href, {});
        "#,
        "
        tool ? the parts of a URL
        command http://h/on if unknown.on
        command http://h/ if !(unknown.on)
        flag ? what a subprocess prints
        ",
    );
    module(
        r#"
        export default (pi) => {
            for (const [key, value] of new URLSearchParams("a=1&b=2")) pi.registerTool({ name: key + value });
        };
        "#,
        "
        tool a1
        tool b2
        ",
    );
}
