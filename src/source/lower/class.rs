//! Classes.

use oxc_ast::ast::{
    Class as Source, ClassElement, Decorator, MethodDefinition, MethodDefinitionKind, MethodDefinitionType,
    PropertyDefinition, PropertyDefinitionType,
};

use super::naming::{Naming, naming_of_key};
use super::{Lowering, binding_of, range};
use crate::source::ir::{Class, ClassId, Dialect, ExprId, FunctionId, Member, MemberKind};

/// The constructor of a class, if written, and the decorators of its parameters.
type Constructor = (Option<FunctionId>, Box<[(u32, ExprId)]>);

impl<'a> Lowering<'_, 'a> {
    pub(super) fn class(&mut self, it: &Source<'a>) -> ClassId {
        let own = it.id.as_ref().filter(|_| it.is_expression()).and_then(|id| id.symbol_id.get());
        if let Some(seen) = own.and_then(|symbol| self.declared.get_mut(symbol.index())) {
            *seen = true;
        }
        let name = self.own_name(it.id.as_ref().map(|id| id.name.as_str()));
        let parent = it.heritage.as_ref().map(|heritage| self.expr(&heritage.expression));
        let decorators = self.decorators(&it.decorators);
        let decorated = is_decorated(it);
        if decorated {
            self.refuse_decorators(it);
        }
        let mut constructor = Constructor::default();
        let mut members = Vec::with_capacity(it.body.body.len());
        for element in &it.body.body {
            if let Some(member) = self.class_element(element, &mut constructor) {
                members.push(member);
            }
        }
        self.push_class(Class {
            at: range(it.span),
            name,
            own_binding: own.map(binding_of),
            parent,
            constructor: constructor.0,
            members: members.into_boxed_slice(),
            decorators,
            of_parameters: constructor.1,
            decorated,
        })
    }

    fn decorators(&mut self, list: &[Decorator<'a>]) -> Box<[ExprId]> {
        list.iter().map(|it| self.expr(&it.expression)).collect()
    }

    /// Babel takes decorators in TypeScript alone, and not everywhere.
    fn refuse_decorators(&mut self, it: &Source<'a>) {
        if self.dialect != Dialect::TypeScript {
            self.refuse("Decorators are not enabled.", it.span);
        }
        for element in &it.body.body {
            match element {
                ClassElement::MethodDefinition(it)
                    if it.kind == MethodDefinitionKind::Constructor && !it.decorators.is_empty() =>
                {
                    self.refuse("Decorators can't be used with a constructor.", it.span);
                }
                ClassElement::PropertyDefinition(it)
                    if it.key.is_private_identifier() && !it.decorators.is_empty() =>
                {
                    self.refuse("Decorators can't be used with a private field.", it.span);
                }
                _ => {}
            }
        }
    }

    fn class_element(&mut self, it: &ClassElement<'a>, constructor: &mut Constructor) -> Option<Member> {
        match it {
            ClassElement::StaticBlock(it) => Some(Member {
                key: None,
                is_static: true,
                kind: MemberKind::StaticBlock(self.static_block(&it.body)),
                decorators: Box::default(),
                of_parameters: Box::default(),
            }),
            ClassElement::MethodDefinition(it) => self.method(it, constructor),
            ClassElement::PropertyDefinition(it) => self.field(it),
            ClassElement::AccessorProperty(it) => {
                self.refuse("Accessor fields are not enabled.", it.span);
                None
            }
            ClassElement::TSIndexSignature(_) => None,
        }
    }

    fn method(&mut self, it: &MethodDefinition<'a>, constructor: &mut Constructor) -> Option<Member> {
        if it.r#type == MethodDefinitionType::TSAbstractMethodDefinition || it.value.body.is_none() {
            return None;
        }
        let key = (it.kind != MethodDefinitionKind::Constructor).then(|| self.key(&it.key, it.computed));
        let decorators = self.decorators(&it.decorators);
        let mut of_parameters = Vec::new();
        for (at, parameter) in (0..).zip(&it.value.params.items) {
            of_parameters.extend(self.decorators(&parameter.decorators).iter().map(|it| (at, *it)));
        }
        let of_parameters = of_parameters.into_boxed_slice();
        let Some(key) = key else {
            *constructor = (self.function(&it.value), of_parameters);
            return None;
        };
        self.naming = naming_of_key(&key, word_of(it.kind));
        let function = self.function(&it.value)?;
        let kind = match it.kind {
            MethodDefinitionKind::Get => MemberKind::Get(function),
            MethodDefinitionKind::Set => MemberKind::Set(function),
            MethodDefinitionKind::Method | MethodDefinitionKind::Constructor => MemberKind::Method(function),
        };
        Some(Member { key: Some(key), is_static: it.r#static, kind, decorators, of_parameters })
    }

    fn field(&mut self, it: &PropertyDefinition<'a>) -> Option<Member> {
        if it.declare || it.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition {
            return None;
        }
        let key = self.key(&it.key, it.computed);
        let decorators = self.decorators(&it.decorators);
        let naming = naming_of_key(&key, "");
        let value = it.value.as_ref().map(|value| self.field_value(value, naming));
        Some(Member {
            key: Some(key),
            is_static: it.r#static,
            kind: MemberKind::Field(value),
            decorators,
            of_parameters: Box::default(),
        })
    }

    /// A field's value runs like a method: an `await` in it is not the module's.
    fn field_value(&mut self, it: &oxc_ast::ast::Expression<'a>, naming: Option<Naming>) -> ExprId {
        self.function_depth += 1;
        let value = self.named(it, naming);
        self.function_depth -= 1;
        value
    }
}

/// What stands before the key in the name of a method.
fn word_of(kind: MethodDefinitionKind) -> &'static str {
    match kind {
        MethodDefinitionKind::Get => "get ",
        MethodDefinitionKind::Set => "set ",
        MethodDefinitionKind::Method | MethodDefinitionKind::Constructor => "",
    }
}

fn is_decorated(it: &Source<'_>) -> bool {
    let params_decorated =
        |it: &MethodDefinition<'_>| it.value.params.items.iter().any(|param| !param.decorators.is_empty());
    !it.decorators.is_empty()
        || it.body.body.iter().any(|element| match element {
            ClassElement::MethodDefinition(it) => !it.decorators.is_empty() || params_decorated(it),
            ClassElement::PropertyDefinition(it) => !it.decorators.is_empty(),
            ClassElement::AccessorProperty(it) => !it.decorators.is_empty(),
            ClassElement::StaticBlock(_) | ClassElement::TSIndexSignature(_) => false,
        })
}
