//! How V8's messages show values and expressions.

use super::heap::{ObjectId, ObjectKind, PropertyKey};
use super::operator::number_text;
use super::path::Stop;
use super::value::{Data, Value};
use super::{Context, Evaluator};
use crate::source::ir::{BinaryOp, Element, Expr, ExprId, LogicalOp, UnaryOp};

/// What stands for an expression that has no text.
const UNNAMED: &str = "(intermediate value)";

/// How deep expressions are shown.
const MAX_DEPTH: u32 = 32;

impl Evaluator<'_> {
    /// A value as messages show it.
    pub(super) fn shown_value(&mut self, value: &Value) -> String {
        match &value.data {
            Data::Object(object) => match &self.heap.get(*object).kind {
                ObjectKind::Array(_) => "[object Array]".to_owned(),
                ObjectKind::Native(native) => {
                    let name = native.name.rsplit('.').next().unwrap_or_default();
                    format!("function {name}() {{ [native code] }}")
                }
                ObjectKind::Function(_) | ObjectKind::Class(_) => {
                    let place = self.function_place(value);
                    place.map_or_else(String::new, |it| self.world.sources.snippet(it))
                }
                _ => self.shown_object(*object),
            },
            Data::Symbol(symbol) => self.key_text(&PropertyKey::Symbol(*symbol)).to_string(),
            _ => self.text_of(value).map_or_else(|| "undefined".to_owned(), |it| it.to_string()),
        }
    }

    /// An object as messages show it: `#<Class>`.
    pub(super) fn shown_object(&mut self, object: ObjectId) -> String {
        let class = self.get_of(object, &"constructor".into(), &object.into()).ok();
        let class = class.and_then(|it| it.as_object());
        let name = class.map_or_else(|| Value::string("Object"), |it| self.function_name(it));
        format!("#<{}>", self.text_of(&name).unwrap_or_else(|| "Object".into()))
    }

    /// The error of calling something that is no function, or constructing something that is no constructor.
    pub(super) fn not_a(&mut self, what: &str, cx: Context<'_>, callee: ExprId) -> Stop {
        let shown = shown(cx, callee, 0);
        self.throw_error("TypeError", &format!("{shown} is not a {what}"))
    }

    /// Whether a settled value is one that `new` cannot be used on.
    pub(super) fn constructs_nothing(&self, value: &Value) -> bool {
        if !value.is_settled() {
            return false;
        }
        let Some(object) = value.as_object() else { return true };
        match &self.heap.get(object).kind {
            ObjectKind::Function(closure) => {
                let module = self.instances.module(closure.module);
                let code = module.function(closure.function);
                code.is_arrow || code.is_async || code.is_generator
            }
            ObjectKind::Native(native) => !native.constructs,
            ObjectKind::Class(_) | ObjectKind::Bound(_) | ObjectKind::Proxy { .. } => false,
            _ => true,
        }
    }
}

/// An expression as V8's `CallPrinter` shows it (`src/ast/prettyprinter.cc`).
fn shown(cx: Context<'_>, id: ExprId, depth: u32) -> String {
    if depth > MAX_DEPTH {
        return UNNAMED.to_owned();
    }
    let part = |id: ExprId| shown(cx, id, depth + 1);
    match cx.module.expr(id) {
        Expr::Null => "null".to_owned(),
        Expr::Bool(it) => it.to_string(),
        Expr::Number(it) => number_text(*it),
        Expr::String(it) => format!("\"{it}\""),
        Expr::RegExp(it) => format!("/{}/{}", it.pattern, it.flags),
        Expr::Local(it) => {
            cx.module.binding_names.get(it.0 as usize).map_or_else(String::new, ToString::to_string)
        }
        Expr::Global(it) => it.to_string(),
        Expr::This => "this".to_owned(),
        Expr::Member { object, property, optional } => {
            format!("{}{}{property}", part(*object), if *optional { "?." } else { "." })
        }
        Expr::Index { object, index, optional } => match cx.module.expr(*index) {
            Expr::String(name) => format!("{}{}{name}", part(*object), if *optional { "?." } else { "." }),
            _ => format!("{}{}[{}]", part(*object), if *optional { "?." } else { "" }, part(*index)),
        },
        Expr::Private { object, name, .. } => format!("{}[#{name}]", part(*object)),
        Expr::Chain(inner) => part(*inner),
        Expr::Call { callee, .. } => format!("{}(...)", part(*callee)),
        Expr::SuperMember { property } => format!("{UNNAMED}.{property}"),
        Expr::Array(elements) => {
            let elements = elements.iter().map(|it| match it {
                Element::Value(it) | Element::Spread(it) => part(*it),
                Element::Hole => String::new(),
            });
            format!("[{}]", elements.collect::<Vec<_>>().join(","))
        }
        Expr::Object(properties) if properties.is_empty() => "{}".to_owned(),
        Expr::Sequence(parts) => {
            let parts: Vec<String> = parts.iter().map(|it| part(*it)).collect();
            format!("({})", parts.join(" , "))
        }
        Expr::Logical { op, left, right } => {
            let op = match op {
                LogicalOp::And => "&&",
                LogicalOp::Or => "||",
                LogicalOp::Coalesce => "??",
            };
            format!("({} {op} {})", part(*left), part(*right))
        }
        Expr::Binary { op: BinaryOp::Add, left, right } => format!("({} + {})", part(*left), part(*right)),
        Expr::Unary { op: UnaryOp::Not, operand } => format!("(!{})", part(*operand)),
        _ => UNNAMED.to_owned(),
    }
}
