//! One name declared twice in a TypeScript file: what Babel's parser and scope tracker say, which is neither what
//! TypeScript says nor what oxc says (`tests/loading/grammar.mjs` holds the cases).

use oxc_semantic::ScopeFlags;
use oxc_span::Span;
use oxc_syntax::symbol::SymbolId;

use super::Lowering;
use crate::source::ir::Dialect;

/// How a name is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    Var,
    Param,
    /// A catch parameter that is a plain name.
    Catch,
    /// `let`, `const`, `using`.
    Lexical,
    Class,
    Function,
    /// A function without a body.
    Signature,
    /// `declare class`.
    AmbientClass,
    Enum,
    ConstEnum,
    Namespace,
    Interface,
    TypeAlias,
    Import,
    TypeImport,
}

/// What a second declaration comes to.
enum Verdict {
    Fine,
    Refused,
    /// A name is imported and, by another declaration, a type: Babel then keeps the import.
    KeepsImport,
}

impl Lowering<'_, '_> {
    /// Takes note of a declaration.
    pub(super) fn note_declaration(&mut self, symbol: SymbolId, declared: Declared, span: Span) {
        if self.dialect != Dialect::TypeScript || self.scoping.symbol_redeclarations(symbol).is_empty() {
            return;
        }
        let scope = self.scoping.symbol_scope_id(symbol);
        let functions_are_vars =
            self.scoping.scope_flags(scope).intersects(ScopeFlags::Function | ScopeFlags::ClassStaticBlock);
        let known = self.redeclared.entry(symbol).or_default();
        let mut refused = false;
        for earlier in known.iter() {
            match second(*earlier, declared, functions_are_vars) {
                Verdict::Fine => {}
                Verdict::Refused => refused = true,
                Verdict::KeepsImport => self.kept_imports.push(symbol),
            }
        }
        let is_first = known.is_empty();
        known.push(declared);
        if refused {
            let name = self.scoping.symbol_name(symbol);
            self.refuse(format!("Identifier '{name}' has already been declared."), span);
        } else if !is_first {
            self.declared_again.push(span.start);
        }
    }
}

#[allow(clippy::match_same_arms, reason = "one line for each kind of declaration")]
fn second(earlier: Declared, later: Declared, functions_are_vars: bool) -> Verdict {
    use Declared::{
        AmbientClass, Catch, Class, ConstEnum, Enum, Function, Import, Interface, Lexical, Namespace, Param,
        Signature, TypeAlias, TypeImport, Var,
    };
    let refused = match (earlier, later) {
        (AmbientClass, _) | (_, AmbientClass) => false,
        (Import, Interface | TypeAlias | Namespace | Signature)
        | (Interface | TypeAlias | Namespace | Signature, Import) => return Verdict::KeepsImport,
        (Enum, Enum) | (ConstEnum, ConstEnum) => false,
        (Namespace, Enum | ConstEnum) => true,
        (Namespace | Signature, _) | (_, Namespace | Signature) => false,
        (Interface, Interface | Class | Function | Lexical | Var)
        | (Class | Function | Lexical | Var, Interface) => false,
        (TypeAlias, Function | Lexical | Var) | (Function | Lexical | Var, TypeAlias) => false,
        (TypeImport, Class | Import | TypeImport) | (Class | Import, TypeImport) => true,
        (TypeImport, _) | (_, TypeImport) => false,
        (Var | Param | Catch, Var) => false,
        (Var | Param | Function, Function) | (Function, Var) => !functions_are_vars,
        _ => true,
    };
    if refused { Verdict::Refused } else { Verdict::Fine }
}
